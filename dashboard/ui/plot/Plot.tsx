import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { plotColours, type PlotColours } from './plot-colours.ts'

/** What is drawn: the library's options but for the size, and its columns. */
export type Drawing = { options: Omit<uPlot.Options, 'width' | 'height'>; data: uPlot.AlignedData }

type Props = {
  /** In the colours of the present theme. Draws anew when the function is another one, so keep it with `useCallback`. */
  draw: (colours: PlotColours) => Drawing
  /** Pixels of height, from those of the place. */
  heightOf: (place: number) => number
  className: string
  /** What the picture says, for those who do not see it. */
  label: string
}

/** A chart. It follows the size of its place and the theme. */
export function Plot({ draw, heightOf, className, label }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme((before) => before + 1))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const size = () => ({
      width: Math.max(160, element.clientWidth),
      height: heightOf(element.clientHeight),
    })
    const { options, data } = draw(plotColours())
    const plot = new uPlot({ ...options, ...size() }, data, element)
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [draw, heightOf, theme])
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is a canvas that the library puts inside
  return <div ref={place} className={className} role="img" aria-label={label} />
}
