import type { ReactNode } from 'react'

export type ToastKind = 'success' | 'info' | 'warning' | 'error' | 'loading'

export type Toast = {
  id: string
  kind: ToastKind
  title: string
  description?: ReactNode
  action?: { label: string; run: () => void }
}

type More = Partial<Pick<Toast, 'id' | 'description' | 'action'>>
type Host = { show: (toast: Toast) => void; dismiss: (id: string) => void }

let host: Host | undefined
let count = 0
const waiting: Toast[] = []
const watchers = new Set<() => void>()

function show(kind: ToastKind, title: string, more: More = {}): string {
  const shown = { ...more, id: more.id ?? `toast-${(count += 1)}`, kind, title }
  if (host) host.show(shown)
  else {
    waiting.push(shown)
    for (const watch of watchers) watch()
  }
  return shown.id
}

/** One line about something that just happened. The same `id` again replaces what it said. */
export const toast = {
  success: (title: string, more?: More) => show('success', title, more),
  info: (title: string, more?: More) => show('info', title, more),
  warning: (title: string, more?: More) => show('warning', title, more),
  error: (title: string, more?: More) => show('error', title, more),
  /** Stays until it is replaced or dismissed. */
  loading: (title: string, more?: More) => show('loading', title, more),
  dismiss: (id: string) => host?.dismiss(id),
}

/** For the Toaster: the drawing part is loaded when the first toast is wanted, and shows what waited for it. */
export const toastHost = {
  needed: () => host !== undefined || waiting.length > 0,
  watch(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  connect(next: Host) {
    host = next
    for (const toast of waiting.splice(0)) next.show(toast)
    return () => {
      host = undefined
    }
  },
}
