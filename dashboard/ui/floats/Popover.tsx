import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { useFloatingTrigger } from './use-floating.ts'

const load = () => import('./PopoverBox.tsx')
const PopoverBox = lazy(() => load().then((m) => ({ default: m.PopoverBox })))

type Props = {
  trigger: ReactElement<Record<string, unknown>>
  label: string
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** As wide as the trigger, for selects. */
  fit?: boolean
  children: ReactNode
}

/** A small panel at a button, for content that is not a list of actions. */
export function Popover({ trigger, open: given, onOpenChange, ...box }: Props) {
  const [own, setOwn] = useState(false)
  const open = given ?? own
  const setOpen = onOpenChange ?? setOwn
  const { anchor, button } = useFloatingTrigger({
    trigger,
    kind: 'dialog',
    open,
    setOpen,
    preload: load,
  })
  return (
    <>
      {button}
      <Suspense>
        {open && <PopoverBox {...box} anchor={anchor} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
