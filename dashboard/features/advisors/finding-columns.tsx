import { Badge } from '../../ui/Badge.tsx'
import { Icon } from '../../ui/Icon.tsx'
import type { Column } from '../../ui/Table.tsx'
import { subjectOf, type Finding } from './findings.ts'
import { levelWords } from './level-words.ts'

const kindOf = ({ metadata }: Pick<Finding, 'metadata'>) =>
  typeof metadata['type'] === 'string' ? metadata['type'] : ''

export const findingColumns = (onOpen: (finding: Finding) => void): Column<Finding>[] => [
  {
    id: 'finding',
    head: 'Finding',
    sortBy: ({ title }) => title,
    cell: (finding) => (
      <button
        type="button"
        className="finding"
        data-level={finding.level}
        onClick={() => onOpen(finding)}
      >
        <Icon of={levelWords[finding.level].icon} size="s" />
        <span className="two-lines">
          <span className="ell">{finding.title}</span>
          <span className="ell muted t12">{finding.detail}</span>
        </span>
      </button>
    ),
  },
  {
    id: 'about',
    head: 'About',
    wideOnly: true,
    width: '240px',
    sortBy: subjectOf,
    cell: (finding) => (
      <span className="mono ell finding-about" title={subjectOf(finding)}>
        {subjectOf(finding)}
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    wideOnly: true,
    width: '140px',
    sortBy: kindOf,
    cell: ({ metadata, ignored }) =>
      ignored ? (
        <Badge>{ignored.scope === 'person' ? 'Ignored by you' : 'Ignored'}</Badge>
      ) : (
        <span className="muted">{kindOf({ metadata })}</span>
      ),
  },
]
