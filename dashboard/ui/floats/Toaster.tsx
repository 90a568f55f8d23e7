import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastHost } from './toast.ts'

const ToastStack = lazy(() => import('./ToastStack.tsx').then((m) => ({ default: m.ToastStack })))

/** Where toasts appear. Costs nothing until there is one. */
export function Toaster() {
  const wanted = useSyncExternalStore(toastHost.watch, toastHost.wanted)
  return wanted ? (
    <Suspense>
      <ToastStack />
    </Suspense>
  ) : null
}
