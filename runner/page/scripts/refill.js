/* Puts the storage of an origin back as it was, before any script of the page runs. */
function (backup) {
    if (window !== window.top || location.origin !== backup.origin) {
        return;
    }
    const kept = JSON.parse(backup.storage);
    const stores = [];
    if (backup.local) {
        stores.push([localStorage, kept.local]);
    }
    if (backup.session) {
        stores.push([sessionStorage, kept.session]);
    }
    for (const [store, entries] of stores) {
        store.clear();
        for (const [key, value] of entries) {
            store.setItem(key, value);
        }
    }
}
