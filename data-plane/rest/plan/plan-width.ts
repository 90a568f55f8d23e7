import type { ReadNode } from './read-node.ts'
import { Problem } from '../answers/problem.ts'

/** The server has 1664 places in a list of columns, one of which tells rows of an embed from none. */
const most = 1660
/** Columns of a result that no schema knows: a function has no more arguments than this. */
const ofUnknown = 100

/**
 * Refuses what asks for more columns than a statement can have: the server would say so itself, as if it were at fault.
 * @throws Problem with status 400
 */
export function checkWidth(node: ReadNode): void {
  // What is sorted by may take a place of its own.
  if (widthOf(node) + node.order.length > most) {
    throw new Problem(
      400,
      'PGRST100',
      `'select' and 'order' name more than ${most} columns of '${node.name}'`,
    )
  }
  for (const embed of node.embeds) checkWidth(embed.node)
}

function widthOf({ select, embeds, relation }: ReadNode): number {
  let width = 0
  for (const { kind } of select) width += kind === 'all' ? (relation?.columns.size ?? ofUnknown) : 1
  for (const embed of embeds) width += embed.spread ? widthOf(embed.node) : 1
  return width
}
