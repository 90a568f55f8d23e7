import { CircleCheck, CircleX, Info, LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { Button } from '../controls/Button.tsx'
import { CopyButton } from '../controls/CopyButton.tsx'
import { Icon, type IconType } from '../Icon.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { toast as toasts, type Toast, type ToastKind } from './toast.ts'

const icons: Record<ToastKind, IconType> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleX,
  loading: LoaderCircle,
}

export function ToastCard({ toast }: { toast: Toast }) {
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
