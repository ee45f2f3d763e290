/* A shop with six planted bugs; each is marked. */
const goods = [['Anchor', 120], ['Bell', 9.5], ['Compass', 34], ['Rope, 20 m', 24]];
const cart = new Map();
const find = (id) => document.getElementById(id);
const money = (amount) => `€ ${amount.toFixed(2)}`;

function drawGoods() {
    const by = find('sort').value;
    /* Bug 1: prices are sorted as texts. */
    const sorted = [...goods].sort((a, b) => by === 'Price' ? (String(a[1]) < String(b[1]) ? -1 : 1) : a[0].localeCompare(b[0]));
    find('goods').replaceChildren(...sorted.map(([name, price]) => {
        const item = document.createElement('li');
        item.className = 'row';
        item.innerHTML = `<span>${name}</span><span>${money(price)}</span><button aria-label="Add ${name}">Add</button>`;
        item.querySelector('button').addEventListener('click', () => add(name));
        return item;
    }));
}

function drawCart() {
    find('lines').replaceChildren(...[...cart].map(([name, count]) => {
        const line = document.createElement('div');
        line.className = 'row';
        line.innerHTML = `<span>${count} × ${name}</span><button aria-label="Remove ${name}">Remove</button>`;
        /* Bug 2: there is no such method. */
        line.querySelector('button').addEventListener('click', () => { cart.remove(name); drawCart(); });
        return line;
    }));
    /* Bug 3: the total ignores how many there are. */
    const total = [...cart.keys()].reduce((sum, name) => sum + goods.find(([one]) => one === name)[1], 0);
    find('total').textContent = money(total);
}

function add(name) {
    cart.set(name, (cart.get(name) ?? 0) + 1);
    find('news').textContent = `${name} was added`;
    drawCart();
}

find('sort').addEventListener('change', drawGoods);
find('redeem').addEventListener('click', () => {
    /* Bug 4: codes are compared without regard to what was typed in small letters. */
    const isKnown = find('voucher').value === 'summer';
    find('problem').textContent = isKnown ? '' : `The voucher ${find('voucher').value} is not known`;
});
find('empty').addEventListener('click', () => { find('veil').style.display = 'block'; find('sure').show(); });
find('yes').addEventListener('click', () => { cart.clear(); drawCart(); find('veil').style.display = ''; find('sure').close(); });
/* Bug 5: the veil stays. */
find('no').addEventListener('click', () => find('sure').close());
find('order').addEventListener('submit', async (event) => {
    event.preventDefault();
    /* Bug 6: a wrong address. */
    const answer = await fetch('api/ordr', { method: 'POST', body: new FormData(find('order')) });
    find('news').textContent = answer.ok ? 'Thank you' : '';
});
drawGoods();
