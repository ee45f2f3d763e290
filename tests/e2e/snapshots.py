"""The JSON form of snapshots."""


def nodes_of(node):
    """Yields the node and all below it, in document order."""
    yield node
    for child in node.get("children", []):
        yield from nodes_of(child)
