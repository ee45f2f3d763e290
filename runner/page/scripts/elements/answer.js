    /* How the functions of elements.js are called, and what they answer. */

    /* Why something cannot be done with an element: ends what was asked, and is the answer. */
    class Refusal {
        constructor(code, message, hint) {
            this.answer = { code, message: message.toWellFormed(), ...(hint && { hint: hint.toWellFormed() }) };
        }
    }
    const fail = (code, message, hint) => {
        throw new Refusal(code, message, hint);
    };
    const answerOf = async (ask) => {
        try {
            return await ask();
        } catch (reason) {
            if (reason instanceof Refusal) {
                return reason.answer;
            }
            throw reason;
        }
    };

    /*
     * A job: with a query it finds the element first, and the answer is beside what was found, for the
     * caller to hold; otherwise it goes on with an element that was found.
     */
    const job = (work, ways = {}) => async ({ query, ...options }, ...objects) => {
        if (!query) {
            const [{ found }] = objects;
            return answerOf(() => {
                checkThere(found);
                return work(found, options);
            });
        }
        const found = { query, given: objects };
        const answer = await answerOf(async () => {
            const chosen = findOne(found, ways);
            const done = await work(found, options);
            return ways.saysChosen ? { ...done, chosen } : done;
        });
        return { found, node: found.node, answer: JSON.stringify(answer) };
    };
