#include "runner/checks/run_state.h"

bool run_is_interrupted(struct run *run)
{
    pthread_mutex_lock(&run->mutex);
    bool result = run->is_interrupted;
    pthread_mutex_unlock(&run->mutex);
    return result;
}

void run_give_up(struct run *run, const struct br_error *why)
{
    pthread_mutex_lock(&run->mutex);
    run->is_stopped = true;
    if (run->fatal.code == BR_OK) {
        run->fatal = *why;
    }
    pthread_mutex_unlock(&run->mutex);
}
