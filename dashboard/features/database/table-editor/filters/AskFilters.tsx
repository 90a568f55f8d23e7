import { Sparkles } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'

const AskFiltersForm = lazy(() =>
  import('./AskFiltersForm.tsx').then((m) => ({ default: m.AskFiltersForm })),
)

type Props = {
  projectRef: string
  entity: EntityDetail
  onFilters: (filters: RowFilter[]) => void
}

/** Conditions from a wish in words. */
export function AskFilters({ onFilters, ...of }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Filter in words"
      open={open}
      onOpenChange={setOpen}
      trigger={<IconButton icon={Sparkles} iconSize="s" label="Filter in words" />}
    >
      <Suspense fallback={<Skeleton width={240} />}>
        <AskFiltersForm
          {...of}
          onFilters={(filters) => {
            setOpen(false)
            onFilters(filters)
          }}
        />
      </Suspense>
    </Popover>
  )
}
