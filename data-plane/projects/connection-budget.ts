/** Whoever keeps connections that nobody uses at the moment. */
export type Holder = {
  /** Ends one idle connection; false when it has none. Its place is given back once it has ended. */
  giveIdle(): boolean
}

/** Every connection that a project may give us is in use, and stayed so for as long as the caller could wait. */
export class NoConnectionLeftError extends Error {
  readonly code = 'pool_timeout'
}

const firstRestMs = 25
const longestRestMs = 100
const forgivenAfterMs = 10_000

/**
 * How many connections to one project's server this process may have at once, whatever service they are for: a server has
 * places for so many (contract/projects/compute-sizes.ts, `serviceConnections`), and what one service takes beyond them another one,
 * or the customer, would lack. Places are shared on demand: when none is left, whoever keeps an idle connection ends it
 * for the one who waits.
 *
 * A connection that the server broke makes the budget rest before the next one is opened, longer each time: opening one costs
 * both sides hundreds of times what a request on an open one does, and whoever breaks one after the other (a database that
 * sends more than is taken, or no protocol at all) would slow down its neighbours.
 */
export class ConnectionBudget {
  private max: number
  private taken = 0
  /** Of performance.now(): nothing is opened before. */
  private restsUntil = Number.NEGATIVE_INFINITY
  private restMs = 0
  /** What to call, in their order, and for whom. */
  private readonly waiting = new Map<() => void, Holder | undefined>()
  private readonly holders = new Set<Holder>()

  constructor(max: number) {
    this.max = max
  }

  /** Whether somebody else waits for a place: then a connection that is done with is ended rather than kept. */
  requestedBeside(holder: Holder): boolean {
    for (const other of this.waiting.values()) if (other !== holder) return true
    return false
  }

  /** How many each may keep while others wait. */
  get share(): number {
    return Math.max(1, Math.floor(this.max / Math.max(1, this.holders.size)))
  }

  /** Another number of places. What is taken beyond it comes back in its own time. */
  resize(max: number): void {
    this.max = max
    this.wake()
  }

  /** Called when places are requested, until what this returns is called. */
  join(holder: Holder): () => void {
    this.holders.add(holder)
    return () => this.holders.delete(holder)
  }

  /** A place at once, or false. Whoever took one gives it back with `give`, once. */
  take(): boolean {
    if (this.taken >= this.max || this.rests) return false
    this.taken++
    return true
  }

  private get rests(): boolean {
    return performance.now() < this.restsUntil
  }

  /** The server broke a connection. Those that break together are one. */
  broke(): void {
    if (this.rests) return
    const now = performance.now()
    const again = now - this.restsUntil < forgivenAfterMs
    this.restMs = again ? Math.min(this.restMs * 2, longestRestMs) : firstRestMs
    this.restsUntil = now + this.restMs
    setTimeout(() => this.wake(), this.restMs + 1).unref()
  }

  give(): void {
    this.taken--
    this.wake()
  }

  /** Calls `again` once when there may be a place; meanwhile an idle connection of somebody is ended for it. */
  whenFree(again: () => void, holder?: Holder): () => void {
    this.waiting.set(again, holder)
    if (this.taken >= this.max) this.reclaim()
    return () => this.waiting.delete(again)
  }

  /**
   * A place, as soon as there is one.
   * @throws NoConnectionLeftError after `waitMs` milliseconds
   */
  takeSoon(waitMs: number): Promise<void> {
    if (this.take()) return Promise.resolve()
    return new Promise((done, fail) => {
      const attempt = () => {
        if (!this.take()) {
          forget = this.whenFree(attempt)
          return
        }
        clearTimeout(timer)
        done()
      }
      const timer = setTimeout(() => {
        forget()
        fail(new NoConnectionLeftError('Timed out waiting for a connection to the database.'))
      }, waitMs)
      let forget = this.whenFree(attempt)
    })
  }

  private reclaim(): void {
    for (const holder of this.holders) if (holder.giveIdle()) return
  }

  private wake(): void {
    while (this.taken < this.max && !this.rests) {
      const [next] = this.waiting.keys()
      if (!next) return
      this.waiting.delete(next)
      next()
    }
  }
}

/** The budgets of all projects that this process serves, made at first need. One is a few hundred bytes, and is kept. */
export class ConnectionBudgets {
  private readonly budgets = new Map<string, ConnectionBudget>()
  private readonly usual: number

  constructor(usual: number) {
    this.usual = usual
  }

  /** `most` where the caller knows how many there may be. */
  of(ref: string, max?: number): ConnectionBudget {
    const found = this.budgets.get(ref)
    if (found) {
      if (max !== undefined) found.resize(max)
      return found
    }
    const made = new ConnectionBudget(max ?? this.usual)
    this.budgets.set(ref, made)
    return made
  }
}
