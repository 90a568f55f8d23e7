import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toastHost } from './toast.ts'

const ToastStack = lazy(() => import('./ToastStack.tsx').then((m) => ({ default: m.ToastStack })))

/** Where toasts appear. Costs nothing until there is one. */
export function Toaster() {
  const needed = useSyncExternalStore(toastHost.watch, toastHost.needed)
  return needed ? (
    <Suspense>
      <ToastStack />
    </Suspense>
  ) : null
}
