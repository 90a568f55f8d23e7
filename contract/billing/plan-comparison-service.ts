import { feature } from './plan-feature.ts'

/** Rows of the plan comparison (facts §1.1, requirements §6 and §9): key, title, free, pro, team, enterprise. */
export const serviceSections = [
  {
    key: 'dashboard',
    title: 'Dashboard',
    features: [
      feature('dashboard.teamMembers', 'Team members', [
        'Unlimited',
        'Unlimited',
        'Unlimited',
        'Unlimited',
      ]),
      feature('dashboard.auditTrails', 'Audit trails', [false, false, true, true]),
    ],
  },
  {
    key: 'security',
    title: 'Platform Security and Compliance',
    features: [
      feature('security.byoc', 'BYO cloud', [false, false, false, true]),
      feature('security.logRetention', 'Log retention (API & Database)', [
        '1 day',
        '7 days',
        '28 days',
        '90 days',
      ]),
      feature(
        'security.logDrain',
        'Log Drain',
        [
          false,
          false,
          [
            '$60 per drain per month',
            'and $0.20 per Million processed',
            'and $0.09 per GB bandwidth',
          ],
          'Custom',
        ],
        { usage_based: true },
      ),
      feature('security.metricsEndpoint', 'Metrics endpoint', [false, true, true, true]),
      feature('security.soc2', 'SOC2', [false, false, true, true]),
      feature('security.hipaa', 'HIPAA', [
        false,
        false,
        'Available as paid add-on',
        'Available as paid add-on',
      ]),
      feature('security.sso', 'SSO', [false, false, 'Contact Us', 'Contact Us']),
      feature('security.uptimeSla', 'Uptime SLAs', [false, false, false, true]),
      feature('security.accessRoles', 'Access Roles', [
        'Owner, Admin, Developer',
        'Owner, Admin, Developer',
        'Owner, Admin, Developer, Read-only, Predefined project scoped roles',
        'Custom project scoped roles',
      ]),
      feature('security.vanityUrls', 'Vanity URLs', [false, true, true, true]),
      feature('security.customDomains', 'Custom Domains', [
        false,
        '$10 per domain per month per project add on',
        '$10 per domain per month per project add on',
        '1, additional $10/domain/month',
      ]),
    ],
  },
  {
    key: 'support',
    title: 'Support',
    features: [
      feature('support.communitySupport', 'Community Support', [true, true, true, true]),
      feature('support.emailSupport', 'Email Support', [false, true, true, true]),
      feature('support.emailSupportSla', 'Email Support SLA', [false, false, true, true]),
      feature('support.designatedSupport', 'Designated support', [false, false, false, true]),
      feature('support.onBoardingSupport', 'On Boarding Support', [false, false, false, true]),
      feature('support.designatedCustomerSuccessTeam', 'Designated Customer Success Team', [
        false,
        false,
        false,
        true,
      ]),
      feature('support.securityQuestionnaireHelp', 'Security Questionnaire Help', [
        false,
        false,
        true,
        true,
      ]),
    ],
  },
] as const
