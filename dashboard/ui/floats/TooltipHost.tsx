import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Keys } from '../text/Keys.tsx'
import { placeTip } from './place-tip.ts'
import { type Shown, watchTips } from './watch-tips.ts'

/** Shows the tooltip of whatever is pointed at or focused. Mount it once. */
export function TooltipHost() {
  const [shown, setShown] = useState<Shown>()
  const tip = useRef<HTMLDivElement>(null)

  useEffect(() => watchTips(setShown), [])

  useLayoutEffect(() => {
    const box = tip.current
    if (!box || !shown) return undefined
    const view = { width: innerWidth, height: innerHeight }
    const { left, top } = placeTip(
      shown.target.getBoundingClientRect(),
      box.getBoundingClientRect(),
      view,
      shown.side,
    )
    box.style.left = `${left}px`
    box.style.top = `${top}px`
    // What the label says already need not be said again.
    if (shown.target.getAttribute('aria-label') === shown.text) return undefined
    shown.target.setAttribute('aria-describedby', box.id)
    return () => shown.target.removeAttribute('aria-describedby')
  }, [shown])

  return shown ? (
    <div ref={tip} id="tip" role="tooltip" className="tip">
      <span>{shown.text}</span>
      {shown.keys && <Keys of={shown.keys} />}
    </div>
  ) : null
}
