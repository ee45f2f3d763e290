    /* The calling convention of the functions in elements.js, and their answers. */

    /* The reason why something cannot be done with an element: ends the call, and is its answer. */
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
     * A job: with a query it first finds the element, and returns it beside its answer for the
     * caller to hold; otherwise it continues with a given element.
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
