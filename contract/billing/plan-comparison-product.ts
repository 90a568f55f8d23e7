import { feature } from './plan-feature.ts'

/** Rows of the plan comparison (facts §1.1, requirements §6 and §9): key, title, free, pro, team, enterprise. */
export const productSections = [
  {
    key: 'database',
    title: 'Database',
    features: [
      feature('database.dedicatedPostgresDatabase', 'Dedicated Postgres Database', [
        true,
        true,
        true,
        true,
      ]),
      feature('database.unlimitedApiRequests', 'Unlimited API requests', [true, true, true, true]),
      feature(
        'database.size',
        'Database size',
        [
          '500 MB database size per project included',
          ['8 GB disk size per project included', 'then $0.125 per GB'],
          ['8 GB disk size per project included', 'then $0.125 per GB'],
          'Custom',
        ],
        {
          usage_based: true,
          tooltip: 'The average daily size of the database over the billing period.',
        },
      ),
      feature('database.advancedDiskConfig', 'Advanced disk config', [false, true, true, true]),
      feature(
        'database.automaticBackups',
        'Automatic backups',
        [false, '7 days', '14 days', 'Custom'],
        { tooltip: 'For databases above 1 TB, ask us first.' },
      ),
      feature(
        'database.pitr',
        'Point in time recovery',
        [
          false,
          '$100 per month per 7 days retention',
          '$100 per month per 7 days retention',
          '$100 per month per 7 days retention, >28 days retention available',
        ],
        { tooltip: 'Goes back only to moments after it was switched on.' },
      ),
      feature('database.pausing', 'Pausing', [
        'After 1 week of inactivity',
        'Never',
        'Never',
        'Never',
      ]),
      feature(
        'database.branching',
        'Branching',
        [false, '$0.01344 per branch, per hour', '$0.01344 per branch, per hour', 'Custom'],
        { usage_based: true },
      ),
      feature(
        'database.bandwidth',
        'Bandwidth',
        [
          '5 GB included',
          ['250 GB included', 'then $0.09 per GB'],
          ['250 GB included', 'then $0.09 per GB'],
          'Custom',
        ],
        {
          usage_based: true,
          tooltip: 'Everything that leaves any service of the project, together.',
        },
      ),
      feature(
        'database.cachedEgress',
        'Cached Egress',
        [
          '5 GB included',
          ['250 GB included', 'then $0.03 per GB'],
          ['250 GB included', 'then $0.03 per GB'],
          'Custom',
        ],
        {
          usage_based: true,
          tooltip: 'What is answered from a cache, without reaching the project.',
        },
      ),
    ],
  },
  {
    key: 'auth',
    title: 'Auth',
    features: [
      feature('auth.totalUsers', 'Total Users', [
        'Unlimited',
        'Unlimited',
        'Unlimited',
        'Unlimited',
      ]),
      feature(
        'auth.maus',
        'MAUs',
        [
          '50,000 included',
          ['100,000 included', 'then $0.00325 per MAU'],
          ['100,000 included', 'then $0.00325 per MAU'],
          'Custom',
        ],
        {
          usage_based: true,
          tooltip:
            'Users who signed in or refreshed a session in the billing period, each counted once.',
        },
      ),
      feature('auth.userDataOwnership', 'User data ownership', [true, true, true, true]),
      feature('auth.anonSignIns', 'Anonymous Sign-ins', [true, true, true, true]),
      feature('auth.socialOAuthProviders', 'Social OAuth providers', [true, true, true, true]),
      feature('auth.customSMTPServer', 'Custom SMTP server', [true, true, true, true]),
      feature('auth.removeBranding', 'Remove Plinth branding from emails', [
        false,
        true,
        true,
        true,
      ]),
      feature('auth.auditTrails', 'Audit trails', ['1 hour', '7 days', '28 days', 'Custom']),
      feature('auth.basicMFA', 'Basic Multi-Factor Auth', [true, true, true, true]),
      feature('auth.advancedMFAPhone', 'Advanced Multi-Factor Auth - Phone', [
        false,
        ['$75 per month for first project', 'then $10 per month per additional projects'],
        ['$75 per month for first project', 'then $10 per month per additional projects'],
        'Custom',
      ]),
      feature(
        'auth.thirdPartyMAUs',
        'Third-Party MAUs',
        [
          '50,000 included',
          ['100,000 included', 'then $0.00325 per MAU'],
          ['100,000 included', 'then $0.00325 per MAU'],
          'Custom',
        ],
        {
          usage_based: true,
          tooltip:
            'Users who came with a token of another provider in the billing period, each counted once.',
        },
      ),
      feature('auth.saml', 'Single Sign-On (SAML 2.0)', [
        false,
        ['50 included', 'then $0.015 per MAU'],
        ['50 included', 'then $0.015 per MAU'],
        'Contact Us',
      ]),
      feature('auth.leakedPasswordProtection', 'Leaked password protection', [
        false,
        true,
        true,
        true,
      ]),
      feature('auth.singleSessionPerUser', 'Single session per user', [false, true, true, true]),
      feature('auth.sessionTimeouts', 'Session timeouts', [false, true, true, true]),
      feature('auth.authHooks', 'Auth Hooks', [
        'Custom Access Token (JWT), Send custom email/SMS',
        'Custom Access Token (JWT), Send custom email/SMS',
        'All',
        'All',
      ]),
      feature('auth.advancedSecurityFeatures', 'Advanced security features', [
        false,
        false,
        false,
        'Contact Us',
      ]),
    ],
  },
  {
    key: 'storage',
    title: 'Storage',
    features: [
      feature(
        'storage.size',
        'Storage',
        [
          '1 GB included',
          ['100 GB included', 'then $0.021 per GB'],
          ['100 GB included', 'then $0.021 per GB'],
          'Custom',
        ],
        { usage_based: true },
      ),
      feature('storage.customAccessControls', 'Custom access controls', [true, true, true, true]),
      feature('storage.maxFileSize', 'Max file upload size', [
        '50 MB',
        '500 GB',
        '500 GB',
        'Custom',
      ]),
      feature('storage.cdn', 'Content Delivery Network', [
        'Basic CDN',
        'Smart CDN',
        'Smart CDN',
        'Smart CDN',
      ]),
      feature(
        'storage.transformations',
        'Image Transformations',
        [
          false,
          ['100 origin images included', 'then $5 per 1000 origin images'],
          ['100 origin images included', 'then $5 per 1000 origin images'],
          'Custom',
        ],
        {
          usage_based: true,
          tooltip:
            'Each original image counts once in the billing period, however often it is transformed.',
        },
      ),
      feature('storage.byoc', 'Bring your own storage provider', [false, false, false, true]),
    ],
  },
  {
    key: 'edge_functions',
    title: 'Edge Functions',
    features: [
      feature(
        'functions.invocations',
        'Invocations',
        [
          '500,000 included',
          ['2 Million included', 'then $2 per 1 Million'],
          ['2 Million included', 'then $2 per 1 Million'],
          'Custom',
        ],
        { usage_based: true },
      ),
      feature('functions.scriptSize', 'Script size', ['20 MB', '20 MB', '20 MB', 'Custom']),
    ],
  },
  {
    key: 'realtime',
    title: 'Realtime',
    features: [
      feature('realtime.postgresChanges', 'Postgres Changes', [true, true, true, true]),
      feature(
        'realtime.concurrentConnections',
        'Concurrent Peak Connections',
        [
          '200 included',
          ['500 included', 'then $10 per 1000'],
          ['500 included', 'then $10 per 1000'],
          'Custom concurrent connections and volume discount',
        ],
        {
          usage_based: true,
          tooltip: 'The most connections that were open at one moment of the billing period.',
        },
      ),
      feature(
        'realtime.messagesPerMonth',
        'Messages Per Month',
        [
          '2 Million included',
          ['5 Million included', 'then $2.50 per Million'],
          ['5 Million included', 'then $2.50 per Million'],
          'Volume discounts on messages',
        ],
        {
          usage_based: true,
          tooltip: 'A message counts once when it is sent and once for each who receives it.',
        },
      ),
      feature('realtime.maxMessageSize', 'Max Message Size', ['250 KB', '3 MB', '3 MB', 'Custom']),
    ],
  },
] as const
