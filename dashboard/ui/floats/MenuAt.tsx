import { lazy, type ReactNode, Suspense, useState } from 'react'

const MenuBox = lazy(() => import('./MenuBox.tsx').then((m) => ({ default: m.MenuBox })))

type Props = {
  /** Pixels of the window. */
  place: { x: number; y: number; width: number; height: number }
  onClose: () => void
  label: string
  children: ReactNode
}

/** A menu where somebody has pointed; for what is drawn and has no button of its own. */
export function MenuAt({ place, ...box }: Props) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [back] = useState(() =>
    document.activeElement instanceof HTMLElement ? document.activeElement : null,
  )
  const { x: left, y: top, width, height } = place
  return (
    <>
      <span
        aria-hidden
        ref={setAnchor}
        className="menu-anchor"
        style={{ left, top, width, height }}
      />
      <Suspense>{anchor && <MenuBox {...box} anchor={anchor} back={back} />}</Suspense>
    </>
  )
}
