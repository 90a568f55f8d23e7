import { useSyncExternalStore } from 'react'

const everyMs = 15_000
let now = new Date()
let timer: ReturnType<typeof setInterval> | undefined
const watchers = new Set<() => void>()

/** One clock for all that show how long ago something was, and none while nothing does. */
function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  timer ??= setInterval(() => {
    now = new Date()
    for (const each of watchers) each()
  }, everyMs)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function look(): Date {
  // It stood still while nobody watched. The same value as long as it is the same time, as React asks for.
  if (timer === undefined && Date.now() - now.getTime() >= everyMs) now = new Date()
  return now
}

/** The time, in steps of a few seconds. */
export const useNow = (): Date => useSyncExternalStore(watch, look)
