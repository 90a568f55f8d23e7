/** Prepared statements kept on one connection; each costs the server some 10-50 kB. */
const mostNames = 100
/** A text is prepared when it comes a second time; this many texts wait for that. */
const mostSeen = 200
/** A longer text is a request of its own kind: unlikely to come again, and large to keep. */
const longestText = 10_000

/** The prepared statements of one connection, by their text; the least recently used one makes room. */
export class StatementNames {
  private readonly names = new Map<string, string>()
  private readonly seen = new Set<string>()
  private dropped: string[] = []
  private counter = 0

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
    if (this.names.size > mostNames) {
      const oldest = this.names.entries().next().value
      if (oldest) this.drop([oldest[1]])
    }
    return { name: fresh, known: false }
  }

  private secondTime(text: string): boolean {
    if (this.seen.delete(text)) return true
    this.seen.add(text)
    if (this.seen.size > mostSeen) this.seen.delete(this.seen.values().next().value ?? '')
    return false
  }

  all(): string[] {
    return [...this.names.values()]
  }

  /** Forgets names; the server is told with the next transaction. */
  drop(names: string[]): void {
    if (names.length === 0) return
    const gone = new Set(names)
    for (const [text, name] of this.names) if (gone.has(name)) this.names.delete(text)
    this.dropped.push(...names)
  }

  takeDropped(): string[] {
    const names = this.dropped
    if (names.length > 0) this.dropped = []
    return names
  }
}

const ofConnection = new WeakMap<object, StatementNames>()

export function statementNames(connection: object): StatementNames {
  const found = ofConnection.get(connection)
  if (found) return found
  const names = new StatementNames()
  ofConnection.set(connection, names)
  return names
}
