import { boundTable, costTable, limitLine, sizesTable, workloadTable } from './parts/fleet/page.ts'
import { usualWorkload } from './parts/fleet/workload.ts'

/**
 * What many projects cost, calculated and not measured: the tables of docs/scale.md, from figures of the other benches
 * (`parts/fleet/measured.ts`) and a workload that somebody has thought up (`parts/fleet/workload.ts`). After a change of one of these, what is
 * printed here goes to that page.
 */
const parts = [
  workloadTable(usualWorkload),
  sizesTable(usualWorkload),
  limitLine(usualWorkload),
  boundTable(usualWorkload),
  costTable(),
]
process.stdout.write(`${parts.join('\n\n')}\n`)
