type Options<T> = {
  /** What it takes at once at most. */
  max: number
  /** Takes no more than there is room for. Rejects when nothing can be taken now. */
  take: (room: number) => Promise<T[]>
  /** Never rejects. */
  send: (one: T) => Promise<void>
  /** Hears why nothing could be taken. */
  failed: (error: unknown) => void
}

/** Things that are taken from a queue and sent, so many of them at once. */
export class Lane<T> {
  private readonly options: Options<T>
  private readonly running = new Set<Promise<void>>()
  private taking: Promise<void> | undefined
  private more = false
  private stopped = false

  constructor(options: Options<T>) {
    this.options = options
  }

  /** One look at a time; what is told during it leads to another. */
  look(): void {
    this.more = true
    this.taking ??= this.takeAll()
      .catch((error: unknown) => {
        this.more = false
        this.options.failed(error)
      })
      .finally(() => {
        this.taking = undefined
        if (this.more && !this.stopped && this.running.size < this.options.max) this.look()
      })
  }

  /** Takes nothing more; ends when what was taken is sent. */
  async end(): Promise<void> {
    this.stopped = true
    await this.taking
    await Promise.all(this.running)
  }

  private async takeAll(): Promise<void> {
    const { max, take } = this.options
    while (this.more && !this.stopped && this.running.size < max) {
      this.more = false
      const room = max - this.running.size
      const taken = await take(room)
      for (const one of taken) this.begin(one)
      if (taken.length === room) this.more = true
    }
  }

  private begin(one: T): void {
    const done = this.options.send(one).finally(() => {
      this.running.delete(done)
      if (!this.stopped) this.look()
    })
    this.running.add(done)
  }
}
