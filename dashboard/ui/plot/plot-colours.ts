import type uPlot from 'uplot'

export type PlotColours = {
  /** The value of a colour variable of the theme; a canvas knows no variables. */
  colour: (name: `--${string}`) => string
  /** How every axis looks. */
  axis: uPlot.Axis
}

/** Those of the theme that is shown now. */
export function plotColours(): PlotColours {
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
