import { ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import type { LogFilter } from '#contract/observability/logs'
import { Button } from '../../../ui/controls/Button.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import type { Question } from './question.ts'

/** What counts the values of fields is given. */
export type FacetsProps = {
  question: Question
  now: number
  /** It is known what can be asked. */
  enabled: boolean
  filters: readonly LogFilter[]
  onFilters: (filters: readonly LogFilter[]) => void
}

type Props = {
  /** Filters that are set. */
  count: number
  children: ReactNode
}

/** The counted values of fields, where there is no room for them beside the list. */
export function FiltersButton({ count, children }: Props) {
  return (
    <Popover
      label="Filters"
      trigger={
        <Button icon={ListFilter} className={count > 0 ? 'log-chosen' : undefined}>
          {count > 0 ? `Filters: ${count}` : 'Filters'}
        </Button>
      }
    >
      <div className="log-facets-float">{children}</div>
    </Popover>
  )
}
