import { BookOpen, GitFork } from 'lucide-react'
import { useContent } from '../../../session/organization/mode.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { libraries, markOf, type Library } from './libraries.ts'

/** The public client libraries that this project's services speak to. */
export function LibrariesCard() {
  const off = useDisabledFeatures()
  const offered: readonly Library[] = useContent().client_libraries ?? libraries
  return (
    <Card title="Client libraries" padded={false}>
      <ul className="libraries">
        {offered
          .filter(({ feature }) => !(feature && off(feature)))
          .map(({ language, officialSupport, releaseState, docsUrl, gitUrl, altIconName }) => (
            <li key={language}>
              <svg className="mark" width={20} height={20} viewBox="0 0 20 20" aria-hidden>
                <rect x={0.5} y={0.5} width={19} height={19} rx={4} />
                <text x={10} y={13}>
                  {markOf({ language, altIconName })}
                </text>
              </svg>
              <span className="med">{language}</span>
              <Badge>{officialSupport ? 'Official' : 'Community'}</Badge>
              {releaseState && <Badge tone="info">{releaseState}</Badge>}
              <span className="grow" />
              <a
                className="btn sq gho"
                href={docsUrl}
                target="_blank"
                rel="noreferrer"
                title="Reference"
              >
                <Icon of={BookOpen} />
                <span className="sr">{language} reference</span>
              </a>
              <a
                className="btn sq gho"
                href={gitUrl}
                target="_blank"
                rel="noreferrer"
                title="Source"
              >
                <Icon of={GitFork} />
                <span className="sr">{language} source</span>
              </a>
            </li>
          ))}
      </ul>
    </Card>
  )
}
