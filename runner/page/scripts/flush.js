/* Resolves when the tasks that are queued now have run. */
function () {
    return new Promise((resolve) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => setTimeout(() => resolve(true), 0);
        channel.port2.postMessage(null);
    });
}
