import { chartOf, isChartKey } from '#contract/observability/report-charts'
import type { ReportBlock } from '#contract/observability/report-content'
import { afterAll } from './layout.ts'

export type BlockKind = ReportBlock['kind']

/** What a block is called for who edits the report. */
export function blockName(block: ReportBlock): string {
  switch (block.kind) {
    case 'chart':
      return isChartKey(block.chart) ? chartOf(block.chart).title : 'Unknown chart'
    case 'sql':
      return block.title || 'Query'
    case 'text':
      return firstLine(block.text) || 'Text'
  }
}

const firstLine = (text: string): string =>
  (text.trim().split('\n')[0] ?? '').replace(/^#+\s*/, '').slice(0, 60)

const sizes = {
  chart: { w: 6, h: 5 },
  sql: { w: 6, h: 4 },
  text: { w: 12, h: 2 },
} as const

export type BlockContent =
  | { kind: 'chart'; chart: string }
  | { kind: 'sql'; title: string; sql: string }
  | { kind: 'text'; text: string }

/** Something new, below all there is; a chart stands beside the one before where there is room. */
export function withNew(blocks: readonly ReportBlock[], content: BlockContent): ReportBlock[] {
  const size = sizes[content.kind]
  const last = blocks.at(-1)
  const hasRoom =
    size.w === 6 &&
    last !== undefined &&
    last.x === 0 &&
    last.w === 6 &&
    last.y + last.h === afterAll(blocks) &&
    blocks.every(({ x, w, y, h }) => x + w <= 6 || y + h <= last.y)
  const at = last && hasRoom ? { x: 6, y: last.y } : { x: 0, y: afterAll(blocks) }
  return [...blocks, { id: crypto.randomUUID().slice(0, 8), ...at, ...size, ...content }]
}
