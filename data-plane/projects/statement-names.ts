/** Prepared statements kept on one connection; each costs the server some 10-50 kB. */
const maxNames = 100
/** A text is prepared when it comes a second time; this many texts wait for that. */
const maxSeen = 100
/** A longer text is a request of its own kind: unlikely to come again, and large to keep. */
const longestText = 4000

/** The prepared statements of one connection, by their text; the least recently used one makes room. */
export class StatementNames {
  /** How many Bind messages of the running transaction the server has accepted. */
  bound = 0
  private readonly names = new Map<string, string>()
  private readonly seen = new Set<string>()
  private dropped: string[] = []
  private counter = 0
  private epoch = 0

  /**
   * Gives up everything prepared before this epoch: the types of its values were settled then, and a column whose type
   * has changed since would be compared in the old type's way.
   */
  enter(epoch: number): void {
    if (epoch === this.epoch) return
    this.epoch = epoch
    this.dropAll()
  }

  /** An empty name is the unnamed statement, which is parsed each time. */
  nameFor(text: string): { name: string; known: boolean } {
    const name = this.names.get(text)
    if (name !== undefined) {
      this.names.delete(text)
      this.names.set(text, name)
      return { name, known: true }
    }
    if (text.length > longestText || !this.secondTime(text)) return { name: '', known: false }
    const fresh = `plinth_${++this.counter}`
    this.names.set(text, fresh)
    if (this.names.size > maxNames) this.drop(this.names.keys().next().value ?? '')
    return { name: fresh, known: false }
  }

  private secondTime(text: string): boolean {
    if (this.seen.delete(text)) return true
    this.seen.add(text)
    if (this.seen.size > maxSeen) this.seen.delete(this.seen.values().next().value ?? '')
    return false
  }

  /** Forgets the statement of a text; the server is told with the next transaction. */
  drop(text: string): void {
    const name = this.names.get(text)
    if (name === undefined) return
    this.names.delete(text)
    this.dropped.push(name)
  }

  dropAll(): void {
    this.dropped.push(...this.names.values())
    this.names.clear()
    this.seen.clear()
  }

  takeDropped(): string[] {
    const names = this.dropped
    if (names.length > 0) this.dropped = []
    return names
  }
}

type Source = { on(event: 'bindComplete', listener: () => void): unknown }
const ofConnection = new WeakMap<Source, StatementNames>()

/** The driver reports accepted Bind messages as events of the connection only. */
export function statementNames(connection: Source): StatementNames {
  const found = ofConnection.get(connection)
  if (found) return found
  const names = new StatementNames()
  connection.on('bindComplete', () => names.bound++)
  ofConnection.set(connection, names)
  return names
}
