import { BookOpen, GitFork } from 'lucide-react'
import { useDisabledFeatures } from '../../session/profile.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { libraries } from './libraries.ts'

/** The public client libraries that this project's services speak to. */
export function LibrariesCard() {
  const off = useDisabledFeatures()
  return (
    <Card title="Client libraries" padded={false}>
      <ul className="libraries">
        {libraries
          .filter(({ feature }) => !(feature && off(feature)))
          .map(({ language, officialSupport, releaseState, docsUrl, gitUrl }) => (
            <li key={language}>
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
