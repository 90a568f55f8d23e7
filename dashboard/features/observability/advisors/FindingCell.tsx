import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import { counted } from '../../../ui/text/number.ts'
import { type Finding, type RuleFindings, levelWords } from './findings.ts'

type Props = { rule: RuleFindings; searched: boolean; onOpen: (finding: Finding) => void }

/** Findings that are shown of a rule before somebody asks for the others. */
const shownFirst = 50

/** A finding; or a rule that was broken in several places, which opens to them. */
export function FindingCell({ rule: { first, all }, searched, onOpen }: Props) {
  const [open, setOpen] = useState(searched)
  const [whole, setWhole] = useState(false)
  const several = all.length > 1
  const shown = whole ? all : all.slice(0, shownFirst)
  return (
    <>
      <button
        type="button"
        className="finding"
        data-level={first.level}
        aria-expanded={several ? open : undefined}
        onClick={() => (several ? setOpen(!open) : onOpen(first))}
      >
        <Icon of={levelWords[first.level].icon} size="s" />
        <span className="two-lines">
          <span className="ell">{first.title}</span>
          <span className="ell muted t12">
            {several ? counted(all.length, 'finding') : first.detail}
          </span>
        </span>
        {several && <Icon of={open ? ChevronDown : ChevronRight} size="s" />}
      </button>
      {several && open && (
        <ul className="finding-list" aria-label={`Findings: ${first.title}`}>
          {shown.map((finding) => (
            <li key={finding.cache_key}>
              <button type="button" className="link ell" onClick={() => onOpen(finding)}>
                {finding.detail}
              </button>
            </li>
          ))}
          {shown.length < all.length && (
            <li>
              <button type="button" className="foot-button" onClick={() => setWhole(true)}>
                Show {all.length - shown.length} more
              </button>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
