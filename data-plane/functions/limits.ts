import type { Usage } from '#kit/process-usage'

/** What one worker may use. */
export type WorkerLimits = {
  /** Megabytes that are its own; the program itself counts for nothing. */
  memoryMb: number
  /** Milliseconds of CPU time that one request may take. */
  cpuMs: number
  /** Milliseconds until it has to listen, downloads included. */
  bootMs: number
  /** Milliseconds without requests after which it ends. */
  idleMs: number
  /** Milliseconds that one request may take; by the plan of the organization unless told. */
  wallMs?: number | undefined
}

/** contracts/functions.md */
export const defaultLimits: WorkerLimits = {
  memoryMb: 256,
  cpuMs: 2000,
  bootMs: 20_000,
  idleMs: 60_000,
}

/** What the runtime itself needs beside the function's own memory, in megabytes. */
const runtimeMb = 96

/** A request on its way: what the worker had used when it began, and had finished. */
export type Running = { cpuAt: number; finishedAt: number }

/**
 * Which limit is reached: memory, or CPU time. Requests share a worker, so each that finished meanwhile may have used its
 * part. `running` is empty while the worker rests, which it may not spend on computing either.
 */
export function exceeded(
  limits: WorkerLimits,
  usage: Usage,
  running: readonly Running[],
  finished: number,
): 'memory' | 'cpu' | undefined {
  if (usage.memoryMb > limits.memoryMb + runtimeMb) return 'memory'
  const over = ({ cpuAt, finishedAt }: Running) =>
    usage.cpuMs - cpuAt > limits.cpuMs * (1 + finished - finishedAt)
  return running.some(over) ? 'cpu' : undefined
}
