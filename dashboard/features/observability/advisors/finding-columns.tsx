import { Badge } from '../../../ui/text/Badge.tsx'
import { counted } from '../../../ui/text/number.ts'
import type { Column } from '../../../ui/lists/Table.tsx'
import { FindingCell } from './FindingCell.tsx'
import { subjectOf, type Finding, type RuleFindings } from './findings.ts'

const kindOf = ({ metadata }: Pick<Finding, 'metadata'>) =>
  typeof metadata['type'] === 'string' ? metadata['type'] : ''

/** What all findings of a rule have in common; undefined where they differ. */
function shared<T>({ all }: RuleFindings, of: (finding: Finding) => T): T | undefined {
  const [first, ...others] = new Set(all.map(of))
  return others.length === 0 ? first : undefined
}
const aboutOf = (rule: RuleFindings) =>
  shared(rule, subjectOf) ?? counted(rule.all.length, 'object')

/** `searched`: what was found in the findings of a rule is shown at once. */
export const findingColumns = (
  onOpen: (finding: Finding) => void,
  searched: boolean,
): Column<RuleFindings>[] => [
  {
    id: 'finding',
    head: 'Finding',
    sortBy: ({ first }) => first.title,
    cell: (rule) => <FindingCell rule={rule} searched={searched} onOpen={onOpen} />,
  },
  {
    id: 'about',
    head: 'About',
    wideOnly: true,
    width: '240px',
    sortBy: aboutOf,
    cell: (rule) => (
      <span className="mono ell finding-about" title={aboutOf(rule)}>
        {aboutOf(rule)}
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    wideOnly: true,
    width: '140px',
    sortBy: (rule) => shared(rule, kindOf) ?? '',
    cell: (rule) => {
      const scope = shared(rule, ({ ignored }) => ignored?.scope)
      return rule.first.ignored ? (
        <Badge>{scope === 'person' ? 'Ignored by you' : 'Ignored'}</Badge>
      ) : (
        <span className="muted">{shared(rule, kindOf)}</span>
      )
    },
  },
]
