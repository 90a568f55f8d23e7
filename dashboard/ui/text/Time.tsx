import { useSyncExternalStore } from 'react'
import { ago, exactTime } from './time.ts'

/** When something happened: how long ago, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const date = new Date(at)
  const now = useNow()
  return (
    <time dateTime={at} title={exactTime(date)}>
      {ago(date, now)}
    </time>
  )
}

/** When something happened, in a sentence: "12 days ago", "yesterday", "on 18 Nov 2025". */
export function Ago({ at }: { at: string }) {
  const date = new Date(at)
  const now = useNow()
  return (
    <time dateTime={at} title={exactTime(date)}>
      {inSentence(ago(date, now))}
    </time>
  )
}

const inSentence = (text: string): string => {
  if (text === 'now') return 'just now'
  if (/^\d+ (?:min|h|days)$/.test(text)) return `${text} ago`
  return /^\d/.test(text) ? `on ${text}` : text
}

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
