import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

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

export type PlotColours = {
  /** The value of a colour variable of the theme; a canvas knows no variables. */
  colour: (name: `--${string}`) => string
  /** How every axis looks. */
  axis: uPlot.Axis
}

/** Those of the theme that is shown now. */
function plotColours(): PlotColours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const line = colour('--line')
  return {
    colour,
    axis: {
      stroke: colour('--text-muted'),
      font: `12px ${colour('--font-text') || 'sans-serif'}`,
      grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1, size: 4 },
    },
  }
}
