import {
  EyeOff,
  ExternalLink,
  Sparkles,
  SquareTerminal,
  Wrench,
  ChevronDown,
  ChevronRight,
} from 'lucide-react'
import { useState } from 'react'
import { advisors } from '#contract/observability/advisors'
import { draftOf, fixOf } from '#contract/ddl/advisor-fixes'
import { sqlOf } from '#contract/ddl/change'
import { lintRules } from '#contract/observability/lints'
import { migrations } from '#contract/database/migrations'
import { useOpenSql } from '../../../modules/sql/saved-query.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { messageOf } from '../../../api/client.ts'
import { setAssistantOpen } from '../../../modules/assistant/assistant.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { type Finding, levelWords, type RuleFindings } from './findings.ts'
import { IgnoreDialog, IgnoredNote } from './IgnoreDialog.tsx'

type Props = { projectRef: string; finding: Finding | undefined; onClose: () => void }

/** One finding: what it is, why it matters, how to mend it. */
export function FindingPanel({ finding, ...props }: Props) {
  return finding ? <OpenFinding {...props} finding={finding} /> : null
}

function OpenFinding({ projectRef, finding, onClose }: Props & { finding: Finding }) {
  const { name, title, level, description, detail, remediation, ignored } = finding
  const [ignoring, setIgnoring] = useState(false)
  const denials = useDenials(useProject(projectRef))
  const { ask, dialog } = useReview(projectRef, advisors.lints)
  const sql = useOpenSql(projectRef)
  const fix = fixOf(finding)
  const draft = draftOf(finding)
  const text = fix ? sqlOf(fix.statements) : draft
  const review = () =>
    fix &&
    ask({
      change: fix,
      title: `Fix: ${title}`,
      verb: 'Apply fix',
      done: 'The fix is applied',
      onDone: onClose,
      children: <p>{lintRules[name].help}</p>,
    })
  return (
    <>
      <SidePanel
        open
        size="large"
        onClose={onClose}
        title={title}
        footer={
          <>
            {!ignored && (
              <Button size="form" icon={EyeOff} onClick={() => setIgnoring(true)}>
                Ignore
              </Button>
            )}
            {text && (
              <Button
                size="form"
                icon={SquareTerminal}
                busy={sql.busy}
                onClick={() => sql.open(title, text)}
              >
                Open in SQL editor
              </Button>
            )}
            {fix && (
              <Button
                size="form"
                variant="primary"
                icon={Wrench}
                disabledReason={denials(migrations.change)}
                onClick={review}
              >
                Review fix
              </Button>
            )}
          </>
        }
      >
        <span className="row finding-line">
          <Badge tone={levelWords[level].tone}>{levelWords[level].one}</Badge>
          <span className="mono faint grow ell">{name}</span>
          <Button
            variant="ghost"
            icon={Sparkles}
            onClick={() => {
              onClose()
              void askAssistant(projectRef, finding, text)
            }}
          >
            Ask the assistant
          </Button>
        </span>
        {ignored && <IgnoredNote projectRef={projectRef} exception={ignored} />}
        <section className="panel-part">
          <h3>What was found</h3>
          <p className="finding-text">{detail}</p>
        </section>
        <section className="panel-part">
          <h3>Why it matters</h3>
          <p className="finding-text">{description}</p>
        </section>
        <section className="panel-part">
          <h3>How to fix it</h3>
          <p className="finding-text">
            {lintRules[name].help}{' '}
            <a className="link finding-more" href={remediation} target="_blank" rel="noreferrer">
              Read more <Icon of={ExternalLink} size="xs" />
            </a>
          </p>
          {text && <CodeBlock code={text} language="sql" what="SQL of the fix" />}
        </section>
        {sql.error && <Alert variant="danger" title={sql.error.message} />}
      </SidePanel>
      {ignoring && (
        <IgnoreDialog
          projectRef={projectRef}
          finding={finding}
          onClose={() => setIgnoring(false)}
          onDone={() => {
            setIgnoring(false)
            onClose()
          }}
        />
      )}
      {dialog}
    </>
  )
}

/** Opens the assistant with the finding, ready to be sent. */
async function askAssistant(
  ref: string,
  { title, detail, description, name }: Finding,
  sql: string | undefined,
): Promise<void> {
  const question = `How do I fix this advisor finding?\n\n${title} (${name})\n${detail}\n${description}`
  try {
    await setAssistantOpen(ref, true, {
      initialInput: question,
      suggestions: [
        // Each is a question by itself: a suggestion is sent without what is in the box.
        `What can happen because of this? ${detail}`,
        `Write the SQL that fixes this: ${detail}`,
        `Is it safe to ignore this? ${detail}`,
      ],
      sqlSnippets: sql === undefined ? [] : [{ name: title, sql }],
    })
  } catch (failure) {
    toast.error(messageOf(failure), { id: 'advisor-assistant' })
  }
}

type FindingCellProps = {
  rule: RuleFindings
  searched: boolean
  onOpen: (finding: Finding) => void
}

/** Findings that are shown of a rule before somebody asks for the others. */
const shownFirst = 50

/** A finding; or a rule that was broken in several places, which opens to them. */
export function FindingCell({ rule: { first, all }, searched, onOpen }: FindingCellProps) {
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
