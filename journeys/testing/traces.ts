import type { BrowserContext } from 'playwright-core'
import { watchedContexts } from './watched.ts'

/**
 * What the browser was told to do and what it asked for. Pictures and copies of every page go in only when they are asked
 * for by PLINTH_TRACE=full: they cost a journey a third of its time.
 */
const full = process.env['PLINTH_TRACE'] === 'full'
const traced = new WeakSet<BrowserContext>()

/** Begins to write down what the pages of this context do. */
export async function trace(context: BrowserContext): Promise<void> {
  await context.tracing.start({ screenshots: full, snapshots: full })
  traced.add(context)
}

const contexts = () => watchedContexts().filter((context) => traced.has(context))

/** A test's trace holds what happened in it. */
export async function beginTraces(): Promise<void> {
  await Promise.all(contexts().map((context) => context.tracing.startChunk()))
}

export async function dropTraces(): Promise<void> {
  await Promise.all(contexts().map((context) => context.tracing.stopChunk()))
}

/** Writes a file for each context; `named` is given its number. */
export async function keepTraces(named: (index: number) => string): Promise<void> {
  await Promise.all(
    contexts().map((context, index) => context.tracing.stopChunk({ path: named(index) })),
  )
}
