import { useEffect } from 'react'
import type { DiagramNode } from './nodes.ts'

/** How many boxes are drawn between two frames: what a slow machine draws without a pause that is felt. */
const portion = 30

/** What is there at once and what follows: hidden boxes have their places, so that the whole is fitted from the start. */
export const firstOnes = (nodes: DiagramNode[]): DiagramNode[] =>
  nodes.map((node, at) => (at < portion ? node : { ...node, hidden: true }))

/** Shows hidden boxes a portion at a time, so that a large diagram never stands still while it opens. */
export function useGradual(
  nodes: readonly DiagramNode[],
  setNodes: (change: (nodes: DiagramNode[]) => DiagramNode[]) => void,
): void {
  const hidden = nodes.some((node) => node.hidden)
  useEffect(() => {
    if (!hidden) return undefined
    const frame = requestAnimationFrame(() =>
      setNodes((all) => {
        let left = portion
        return all.map((node) => (node.hidden && left-- > 0 ? { ...node, hidden: false } : node))
      }),
    )
    return () => cancelAnimationFrame(frame)
  }, [hidden, nodes, setNodes])
}
