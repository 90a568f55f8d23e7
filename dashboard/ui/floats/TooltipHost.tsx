import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Keys } from '../text/Keys.tsx'
import { placeTip, type Side } from './Tooltip.tsx'

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

type Shown = { target: HTMLElement; text: string; keys: string | undefined; side: Side }

/** The figures of the requirements (§9): 700 ms for the first, 300 ms in which the next comes at once. */
const delay = 700
const skip = 300
const sides: readonly string[] = ['top', 'right', 'bottom', 'left']

/**
 * Follows pointer and focus over the whole page and tells which element's tooltip to show, undefined for none. One set of
 * listeners for all of them: a button costs nothing for having a tooltip.
 */
function watchTips(show: (shown: Shown | undefined) => void): () => void {
  let target: HTMLElement | undefined
  let visible = false
  let hiddenAt = -Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  function hide(now: number) {
    clearTimeout(timer)
    if (visible) hiddenAt = now
    visible = false
    show(undefined)
  }
  function reveal(element: HTMLElement) {
    // Gone in the meantime, or its menu opened instead.
    if (!element.isConnected || element.getAttribute('aria-expanded') === 'true') return
    visible = true
    show(shownFor(element))
  }
  function over(event: PointerEvent) {
    const next = tipped(event.target)
    if (next === target || event.pointerType === 'touch') return
    hide(event.timeStamp)
    target = next
    if (!next) return
    if (event.timeStamp - hiddenAt < skip) reveal(next)
    else timer = setTimeout(() => reveal(next), delay)
  }
  function focus(event: FocusEvent) {
    const next = tipped(event.target)
    hide(event.timeStamp)
    if (next?.matches(':focus-visible')) reveal(next)
  }
  const away = (event: Event) => {
    hide(event.timeStamp)
  }
  // The page moved under the pointer. It may rest on the same element still, for which no other event would come.
  const scrolled = (event: Event) => {
    hide(event.timeStamp)
    const pointed = target
    if (pointed) timer = setTimeout(() => pointed.matches(':hover') && reveal(pointed), delay)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide(event.timeStamp)
  }

  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('pointerover', over, { signal })
  document.addEventListener('focusin', focus, { signal })
  document.addEventListener('focusout', away, { signal })
  document.addEventListener('pointerdown', away, { signal, capture: true })
  document.addEventListener('keydown', key, { signal, capture: true })
  document.addEventListener('scroll', scrolled, { signal, capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

const tipped = (node: EventTarget | null): HTMLElement | undefined =>
  node instanceof Element ? (node.closest<HTMLElement>('[data-tip]') ?? undefined) : undefined

function shownFor(target: HTMLElement): Shown {
  const { tip = '', tipKeys, tipSide = 'bottom' } = target.dataset
  return { target, text: tip, keys: tipKeys, side: isSide(tipSide) ? tipSide : 'bottom' }
}

const isSide = (text: string): text is Side => sides.includes(text)
