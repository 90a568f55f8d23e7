import { diagramLayouts } from '#contract/database/diagram-layouts'
import { tableShapes, type DiagramLink, type DiagramTable } from '#contract/database/table-shapes'
import { q } from '../../../api/client.ts'
import { databaseQuery } from '../../../session/project/database.ts'

export type DiagramData = { tables: DiagramTable[]; links: DiagramLink[]; total: number }

export const diagramQuery = (ref: string, schema: string) =>
  databaseQuery(tableShapes.diagram, { ref, schema }, 2_000)
export const layoutQuery = (ref: string, schema: string) =>
  q(diagramLayouts.get, { ref, schema }, 2_000)
