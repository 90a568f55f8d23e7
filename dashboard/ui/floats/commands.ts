import { useEffect, useSyncExternalStore } from 'react'
import type { IconType } from '../Icon.tsx'

/** Something a reader can do from the command menu, by a shortcut, or both. */
export type Command = {
  id: string
  /** The name of its section in the menu. */
  section: string
  name: string
  icon?: IconType
  /** Faint words after the name. */
  hint?: string
  /** 'mod+k' for keys held together, 'g h' for keys one after the other. */
  keys?: string
  /** Works while typing in a field and with a dialog open. Only for shortcuts with a modifier. */
  everywhere?: boolean
  /** A shortcut of its own that the command menu need not list. */
  unlisted?: boolean
  run: () => void
}

const registered = new Map<symbol, readonly Command[]>()
const watchers = new Set<() => void>()
let all: readonly Command[] = []

function changed() {
  all = [...registered.values()].flat()
  for (const watch of watchers) watch()
}

/** Every command of what is on the screen now. */
export const currentCommands = () => all

export function registerCommands(commands: readonly Command[]): () => void {
  const key = Symbol('commands')
  registered.set(key, commands)
  changed()
  return () => {
    registered.delete(key)
    changed()
  }
}

/** Offers commands for as long as the component is on the screen. */
export function useCommands(commands: readonly Command[]) {
  useEffect(() => (commands.length ? registerCommands(commands) : undefined))
}

/** The commands as a list that follows the screen. Not for components that register some themselves. */
export const useCurrentCommands = () =>
  useSyncExternalStore((watcher) => {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  }, currentCommands)
