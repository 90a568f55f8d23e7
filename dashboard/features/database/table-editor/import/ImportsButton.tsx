import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { tableTransfer } from '#contract/database/table-transfer'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { counted } from '../../../../ui/text/number.ts'
import { importsQuery } from './imports-query.ts'

const ImportsPanel = lazy(() =>
  import('./ImportsPanel.tsx').then((m) => ({ default: m.ImportsPanel })),
)

/** The way to one's imports, below the list of tables, while there are any. */
export function ImportsButton({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const [open, setOpen] = useState(false)
  const enabled = why(tableTransfer.imports) === undefined
  const { data = [] } = useQuery({ ...importsQuery(projectRef), enabled })
  const running = data.filter(({ ended_at }) => ended_at === null)
  const sum = (of: (one: (typeof data)[number]) => number) =>
    running.reduce((total, one) => total + of(one), 0)
  const part = sum(({ received, read }) => received + read) / (2 * sum(({ file }) => file.size))
  return (
    <>
      {data.length > 0 && (
        <button type="button" className="imports-button" onClick={() => setOpen(true)}>
          <Icon of={FileUp} size="s" />
          <span className="grow">
            {running.length > 0
              ? `${counted(running.length, 'import', 'imports')} under way`
              : 'Imports'}
          </span>
          {running.length > 0 && <span>{Math.floor(part * 100)} %</span>}
        </button>
      )}
      {open && (
        <Suspense>
          <ImportsPanel projectRef={projectRef} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
