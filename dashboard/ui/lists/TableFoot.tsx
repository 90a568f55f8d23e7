import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconButton } from '../controls/IconButton.tsx'
import { numberText } from '../text/number.ts'

type Props = { page: number; pages: number; rows: number; onPage: (page: number) => void }

export function TableFoot({ page, pages, rows, onPage }: Props) {
  return (
    <div className="foot">
      <IconButton
        icon={ChevronLeft}
        iconSize="s"
        label="Previous page"
        disabledReason={page === 0 && 'This is the first page'}
        onClick={() => onPage(page - 1)}
      />
      <span>
        Page {page + 1} of {pages}
      </span>
      <IconButton
        icon={ChevronRight}
        iconSize="s"
        label="Next page"
        disabledReason={page === pages - 1 && 'This is the last page'}
        onClick={() => onPage(page + 1)}
      />
      <span className="grow" />
      <span>{numberText(rows)} in all</span>
    </div>
  )
}
