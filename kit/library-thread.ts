import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

type Options = {
  /** The package whose functions are called. */
  library: string
  /** Milliseconds that one call may take, from when the library is loaded. */
  longest: number
  /** Characters of a result as JSON: making its values takes the caller's own thread time. */
  maxResult: number
  /** Milliseconds without a call after which the thread ends and gives its memory back. */
  idle: number
}

/** A call took too long, gave too much, or broke the library: nothing is known about what it was given. */
export class ThreadRefusal extends Error {}

/** What the library itself threw, with everything it had put on its error. */
export class LibraryError extends Error {
  readonly details: Record<string, unknown>

  constructor(message: string, details: Record<string, unknown>) {
    super(message)
    this.details = details
  }
}

type Reply =
  | { loaded: true }
  | { json: string | undefined }
  | { failed: string; details: Record<string, unknown> }
  | { large: true }
type Call = {
  name: string
  args: unknown[]
  done: (value: unknown) => void
  fail: (error: Error) => void
}

const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { path, maxResult } = workerData
const library = import(path)
library.then(() => parentPort.postMessage({ loaded: true }), () => process.exit())
parentPort.on('message', async ({ name, args }) => {
  try {
    const loaded = await library
    const [first, method] = name.split('#')
    const made = loaded[first] ?? loaded.default[first]
    const result = method ? new made(args[0])[method](...args.slice(1)) : made(...args)
    const json = JSON.stringify(await result)
    parentPort.postMessage(json?.length > maxResult ? { large: true } : { json })
  } catch (error) {
    // A stack that ran over can leave a library in any state.
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) process.exit()
    // Some quote all that they were given.
    const failed = String(error.message).slice(0, 2000)
    const details = JSON.stringify(error) ?? '{}'
    parentPort.postMessage({ failed, details: details.length > 10_000 ? {} : JSON.parse(details) })
  }
})`

/** Milliseconds that a library may take to load: on a busy machine some seconds, which are no call's own. */
const loading = 60_000

/**
 * Functions of a library that may take long for hostile input, in a thread of their own: one call after the other, each
 * ended when it takes too long. Arguments and results are what JSON can say.
 */
export class LibraryThread {
  private readonly options: Options
  private worker: Worker | undefined
  private loaded = false
  private running: Call | undefined
  private readonly waiting: Call[] = []
  private timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
    this.options = options
  }

  /**
   * Calls the function `name`, or with `Class#method` a method of what `new Class(args[0])` makes, with the other arguments.
   * @throws LibraryError ThreadRefusal
   */
  call(name: string, ...args: unknown[]): Promise<unknown> {
    return new Promise((done, fail) => {
      this.waiting.push({ name, args, done, fail })
      this.next()
    })
  }

  private next(): void {
    if (this.running) return
    clearTimeout(this.timer)
    this.running = this.waiting.shift()
    if (!this.running) {
      this.timer = setTimeout(() => this.end(), this.options.idle).unref()
      return
    }
    const { name, args } = this.running
    this.worker ??= this.start()
    this.worker.postMessage({ name, args })
    this.giveUpAfter(this.loaded ? this.options.longest : loading)
  }

  private giveUpAfter(ms: number): void {
    const call = this.running
    // Where this thread itself was held up, the answer may have come meanwhile: it is looked at first.
    const refuse = () => setImmediate(() => this.running === call && this.refuse('takes too long'))
    this.timer = setTimeout(refuse, ms).unref()
  }

  private start(): Worker {
    const { library, maxResult } = this.options
    const path = createRequire(import.meta.url).resolve(library)
    const worker = new Worker(program, { eval: true, workerData: { path, maxResult } })
    this.loaded = false
    worker.unref()
    worker.on('message', (reply: Reply) => this.worker === worker && this.answered(reply))
    // An error ends the thread; so does the library by itself.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (this.worker !== worker) return
      this.worker = undefined
      if (this.running) this.refuse('cannot be done')
    })
    return worker
  }

  private answered(reply: Reply): void {
    if ('loaded' in reply) {
      this.loaded = true
      clearTimeout(this.timer)
      if (this.running) this.giveUpAfter(this.options.longest)
      return
    }
    if ('large' in reply) return this.refuse('gives too much')
    const call = this.running
    this.running = undefined
    if ('failed' in reply) call?.fail(new LibraryError(reply.failed, reply.details))
    else call?.done(reply.json === undefined ? undefined : JSON.parse(reply.json))
    this.next()
  }

  private refuse(why: string): void {
    const call = this.running
    this.running = undefined
    this.end()
    call?.fail(new ThreadRefusal(`${this.options.library} ${why}`))
    this.next()
  }

  /** Ends the thread and what runs in it; the next call starts another. */
  end(): void {
    const { worker } = this
    this.worker = undefined
    void worker?.terminate()
  }
}
