import { runEngine } from '#data-plane/logs/engine/engine'

/** Answers questions about logs, and packs them, for the data plane that starts it; it ends with that. */
runEngine()
