import { useEffect } from 'react'
import { toast as sonner, Toaster as Sonner } from 'sonner'
import { ToastCard } from './ToastCard.tsx'
import { toastHost } from './toast.ts'

/** The figures are the requirements' (§9): 4 s, at most 3, 14 px apart, 356 px wide, 32 px from the corner. */
export function ToastStack() {
  useEffect(
    () =>
      toastHost.connect({
        show: (toast) =>
          sonner.custom(() => <ToastCard toast={toast} />, {
            id: toast.id,
            duration: toast.kind === 'loading' ? Infinity : 4000,
          }),
        dismiss: (id) => sonner.dismiss(id),
      }),
    [],
  )
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={3}
      gap={14}
      offset={32}
      mobileOffset={16}
      duration={4000}
      hotkey={['altKey', 'KeyT']}
      style={{ '--width': 'var(--w-toast)' }}
    />
  )
}
