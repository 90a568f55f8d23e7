import { setTimeout as delay } from 'node:timers/promises'
import { ProjectChange } from '#contract/internal'
import type { Log } from '#kit/log'

type Options = {
  url: string
  authorization: string
  log: Log
  /** null: something has changed that is of no project. */
  onRef: (ref: string | null) => void
  /** A stream has (re)started: anything may have happened since the last line of the one before. */
  onGap: () => void
  /** A stream that is silent this long is dead: heartbeats come far more often. */
  silentMs?: number
}

const longestLine = 10_000
const backoffMs = { first: 100, max: 5000 }

/** Follows a stream of newline-delimited `{"ref": "…"}`, or `{"ref": null}`; empty lines are heartbeats. Returns how to stop. */
export function followChanges(options: Options): () => void {
  const stopped = new AbortController()
  void follow(options, stopped.signal)
  return () => stopped.abort()
}

async function follow(options: Options, stopped: AbortSignal): Promise<void> {
  let wait = backoffMs.first
  while (!stopped.aborted) {
    try {
      await readOnce(options, stopped, () => {
        wait = backoffMs.first
      })
    } catch (error) {
      if (stopped.aborted) return
      // Programs start in any order: that the control plane is not there yet is news only when it lasts.
      const level = wait < backoffMs.max ? 'debug' : 'warn'
      options.log[level]({ err: error }, 'The stream of project changes broke off')
    }
    // An aborted wait is the end of the loop, which the condition above sees.
    await delay(wait, undefined, { signal: stopped, ref: false }).catch(() => undefined)
    wait = Math.min(wait * 2, backoffMs.max)
  }
}

async function readOnce(
  { url, authorization, onRef, onGap, silentMs = 45_000 }: Options,
  stopped: AbortSignal,
  onOpen: () => void,
): Promise<void> {
  const silent = new AbortController()
  const timer = setTimeout(() => silent.abort(new Error('No heartbeat')), silentMs)
  timer.unref()
  try {
    const signal = AbortSignal.any([stopped, silent.signal])
    const response = await fetch(url, { headers: { authorization }, signal })
    if (!response.ok || !response.body) throw new Error(`It was answered with ${response.status}`)
    onOpen()
    onGap()
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body) {
      timer.refresh()
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw new Error('A line of it is too long')
      for (const line of lines)
        if (line.trim() !== '') onRef(ProjectChange.parse(JSON.parse(line)).ref)
    }
  } finally {
    clearTimeout(timer)
  }
}
