/* Restores the storage of an origin before any script of the page runs. */
function (backup) {
    if (window !== window.top || location.origin !== backup.origin) {
        return;
    }
    const put = (store, entries, isAll) => {
        if (isAll) {
            store.clear();
        }
        for (const [key, value] of entries) {
            if (isAll || store.getItem(key) === null) {
                store.setItem(key, value);
            }
        }
    };
    if (backup.local !== 'nothing') {
        put(localStorage, JSON.parse(backup.newest).local, backup.local === 'all');
    }
    if (backup.session) {
        put(sessionStorage, JSON.parse(backup.storage).session, true);
    }
}
