import { useEffect } from 'react'
import { toast as sonner, Toaster as Sonner } from 'sonner'
import { toastHost, toast as toasts, type Toast, type ToastKind } from './toast.ts'
import { CircleCheck, CircleX, Info, LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { Button } from '../controls/Button.tsx'
import { CopyButton } from '../controls/CopyButton.tsx'
import { Icon, type IconType } from '../Icon.tsx'
import { IconButton } from '../controls/IconButton.tsx'

const icons: Record<ToastKind, IconType> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleX,
  loading: LoaderCircle,
}

function ToastCard({ toast }: { toast: Toast }) {
  const { action } = toast
  return (
    <div className={`toast toast-${toast.kind}`} data-kind={toast.kind}>
      <Icon of={icons[toast.kind]} className={toast.kind === 'loading' ? 'turning' : undefined} />
      <div className="grow">
        <b className="med">{toast.title}</b>
        {toast.description && <p>{toast.description}</p>}
      </div>
      {action && <Button onClick={action.run}>{action.label}</Button>}
      {toast.kind === 'error' && <CopyButton text={wordsOf(toast)} what="error" />}
      <IconButton
        className="xx"
        icon={X}
        iconSize="s"
        label="Dismiss"
        onClick={() => toasts.dismiss(toast.id)}
      />
    </div>
  )
}

const wordsOf = ({ title, description }: Toast) =>
  typeof description === 'string' ? `${title}\n${description}` : title

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
