import type { Drafts } from '../../../session/identity/drafts.ts'
import type { QueryDraft } from './editor/query-title.ts'
import {
  afterSave,
  emptyValues,
  sameValues,
  valuesOf,
  type Saved,
  type Values,
} from './running/query-values.ts'

export type SaveState =
  | { kind: 'saved' }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  /** `again`: it is tried again by itself. */
  | { kind: 'failed'; message: string; again: boolean }
  /** Someone else changed it meanwhile: `theirs` is what they made of it. */
  | { kind: 'conflict'; theirs: Saved }

export type QueryView = {
  id: string
  values: Values
  /** Undefined until the server has it. */
  saved: Saved | undefined
  save: SaveState
  /** Goes up when the text came from elsewhere than the editor. */
  replaced: number
  /** The local copy could not be written: closing the tab now would lose text. */
  unkept: boolean
}

/** Why a save was refused: the answer of `put`, so that a failure is data and not an exception. */
export type PutResult =
  | { ok: true; saved: Saved }
  | { ok: false; reason: 'conflict' }
  /** `unsure`: nobody knows whether the server took it. */
  | { ok: false; reason: 'failed'; message: string; again: boolean; unsure: boolean }

export type Server = {
  put: (id: string, values: Values, revision: number) => Promise<PutResult>
  /** Undefined when it cannot be read now. */
  read: (id: string) => Promise<Saved | undefined>
}

const saveAfterMs = 700
const keepAfterMs = 200
const longestWaitMs = 30_000

type Options = {
  id: string
  saved?: Saved | undefined
  draft?: QueryDraft | undefined
  server: Server
  drafts: Drafts<QueryDraft>
}

/**
 * One query that is open: what is typed, what the server has, and the way from one to the other. Changes are kept in
 * this browser after 0.2 s and sent after 0.7 s of rest, one save at a time; what fails for a while is tried again.
 */
export function createOpenQuery({ id, saved, draft, server, drafts }: Options) {
  let view: QueryView = {
    id,
    values: draft ? draft.values : saved ? valuesOf(saved) : emptyValues,
    saved,
    save: { kind: 'saved' },
    replaced: 0,
    unkept: false,
  }
  const watchers = new Set<() => void>()
  let keepTimer: ReturnType<typeof setTimeout> | undefined
  let saveTimer: ReturnType<typeof setTimeout> | undefined
  let wait = 1000
  let flying: Promise<void> | undefined
  let closed = false
  /** Sent, and never answered: if they turn up on the server, they are ours. */
  let unsure: Values[] = []

  function show(change: Partial<QueryView>) {
    view = { ...view, ...change }
    for (const watch of watchers) watch()
  }
  const isClean = () =>
    view.saved ? sameValues(view.values, view.saved) : sameValues(view.values, emptyValues)

  function keepNow() {
    clearTimeout(keepTimer)
    keepTimer = undefined
    if (closed || isClean()) return
    const revision = view.saved?.revision ?? null
    const unkept = !drafts.keep({ id, values: view.values, revision, at: Date.now() })
    if (unkept !== view.unkept) show({ unkept })
  }

  function changed() {
    const { save } = view
    // Typed to the same end: there is nothing left to decide.
    if (save.kind === 'conflict' && sameValues(view.values, save.theirs))
      view = { ...view, saved: save.theirs }
    if (isClean() && !flying) {
      clearTimeout(saveTimer)
      clearTimeout(keepTimer)
      keepTimer = undefined
      drafts.drop(id)
      return show({ save: { kind: 'saved' }, unkept: false })
    }
    keepTimer ??= setTimeout(keepNow, keepAfterMs)
    if (view.save.kind === 'conflict') return undefined
    if (!flying) show({ save: { kind: 'waiting' } })
    return schedule(saveAfterMs)
  }

  function schedule(ms: number) {
    clearTimeout(saveTimer)
    saveTimer = setTimeout(() => void push(), ms)
  }

  function push(): Promise<void> {
    clearTimeout(saveTimer)
    if (closed || view.save.kind === 'conflict') return Promise.resolve()
    // The one on its way saves what is there when it comes back.
    if (flying) return flying
    if (isClean()) return Promise.resolve()
    flying = send().finally(() => {
      flying = undefined
      if (!closed && view.save.kind === 'saving') changed()
    })
    return flying
  }

  async function send(): Promise<void> {
    const sent = view.values
    show({ save: { kind: 'saving' } })
    const result = await server.put(id, sent, view.saved?.revision ?? 0)
    if (closed) return
    if (result.ok) {
      unsure = []
      wait = 1000
      // Stays 'saving' here: what was typed meanwhile is looked at when this flight is over.
      return show({ saved: result.saved, values: afterSave(view.values, sent, result.saved) })
    }
    if (result.reason === 'conflict') return collide()
    if (result.unsure) unsure = [...unsure, sent]
    keepNow()
    show({ save: { kind: 'failed', message: result.message, again: result.again } })
    if (!result.again) return
    schedule(wait)
    wait = Math.min(wait * 2, longestWaitMs)
  }

  async function collide(): Promise<void> {
    const theirs = await server.read(id)
    if (closed) return
    if (!theirs) {
      show({
        save: { kind: 'failed', message: 'The newer version could not be read', again: true },
      })
      return schedule(wait)
    }
    const ours = unsure.some((values) => values.sql === theirs.sql && values.name === theirs.name)
    unsure = []
    // Our own save whose answer got lost, or the very same change made twice: no conflict for a person.
    if (ours || sameValues(view.values, theirs)) return show({ saved: theirs })
    return show({ save: { kind: 'conflict', theirs } })
  }

  if (draft) {
    const lost = saved && draft.revision !== saved.revision && !sameValues(draft.values, saved)
    if (lost) view = { ...view, save: { kind: 'conflict', theirs: saved } }
    else changed()
  }

  return {
    id,
    view: () => view,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    edit(change: Partial<Values>) {
      view = { ...view, values: { ...view.values, ...change } }
      changed()
      // Also when only the text changed and nothing else had to be told.
      show({})
    },
    /** Saves now; done when the server has answered. */
    save: push,
    keepNow,
    isClean,
    /** Overwrites what someone else made. */
    keepMine() {
      if (view.save.kind !== 'conflict') return Promise.resolve()
      show({ saved: view.save.theirs, save: { kind: 'waiting' } })
      return push()
    },
    /** Gives up what was typed here. */
    takeTheirs() {
      if (view.save.kind !== 'conflict') return
      replace(view.save.theirs)
    },
    /** A version read from the server later. Taken when nothing was typed here since. */
    accept(newer: Saved) {
      if (flying || view.save.kind !== 'saved' || !isClean()) return
      if (newer.revision > (view.saved?.revision ?? -1)) replace(newer)
    },
    /** The query is gone, or nobody may read it here any more. */
    close() {
      closed = true
      clearTimeout(saveTimer)
      clearTimeout(keepTimer)
      drafts.drop(id)
    },
  }

  function replace(next: Saved) {
    const values = valuesOf(next)
    drafts.drop(id)
    show({
      values,
      saved: next,
      save: { kind: 'saved' },
      replaced: view.replaced + 1,
      unkept: false,
    })
  }
}
export type OpenQuery = ReturnType<typeof createOpenQuery>

export type OpenTab = { id: string; name: string }

type Area = Pick<Storage, 'getItem' | 'setItem'>

/** Which queries have a tab above the editor, in their order, kept in this browser. */
export function createOpenTabs(area: Area, ref: string) {
  const key = `plinth.sql-editor-tabs-${ref}`
  const watchers = new Set<() => void>()
  let tabs: readonly OpenTab[] = parse(area.getItem(key))

  function set(next: readonly OpenTab[]) {
    tabs = next
    keep(area, key, JSON.stringify(tabs))
    for (const watch of watchers) watch()
  }

  return {
    list: () => tabs,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Opens a tab at the end, or gives an open one its new name. */
    show(id: string, name: string) {
      const known = tabs.find((tab) => tab.id === id)
      if (!known) set([...tabs, { id, name }])
      else if (known.name !== name) set(tabs.map((tab) => (tab.id === id ? { id, name } : tab)))
    },
    /** Closes a tab and names the one to look at next. */
    close(id: string): string | undefined {
      const at = tabs.findIndex((tab) => tab.id === id)
      if (at < 0) return undefined
      set(tabs.filter((tab) => tab.id !== id))
      return (tabs[at] ?? tabs[at - 1])?.id
    },
  }
}

function keep(area: Area, key: string, value: string) {
  try {
    area.setItem(key, value)
  } catch {
    // Without room the tabs are merely forgotten.
  }
}

function parse(text: string | null): OpenTab[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isTab) : []
  } catch {
    return []
  }
}

const isTab = (value: unknown): value is OpenTab =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  typeof value.id === 'string' &&
  typeof value.name === 'string'
