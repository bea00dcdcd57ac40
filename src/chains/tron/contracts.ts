/**
 * The messages a transaction is made of: `protocol.Transaction.raw` and what its contract may hold, from java-tron's
 * `core/Tron.proto` and `core/contract/*.proto`, with the fields its JSON writes as base58 or as text when `visible`
 * (`HttpSelfFormatFieldName`). A contract that is not here is forwarded all the same; its id then stays unproven:
 * shielded transfers, and proposals (a map has no order to rely on).
 */

import { memberOf, stringAt } from '../../wire/scan.ts';
import { type Encoder, encodeJson, type Kind, type Schema } from './protobuf.ts';

const owner = [1, 'owner_address', 'address'] as const;
const resource = { names: ['BANDWIDTH', 'ENERGY', 'TRON_POWER'] };
const ownerOnly: Schema = [owner];

const key: Schema = [
  [1, 'address', 'address'],
  [2, 'weight', 'int'],
];

const permission: Schema = [
  [1, 'type', { names: ['Owner', 'Witness', 'Active'] }],
  [2, 'id', 'int'],
  [3, 'permission_name', 'string'],
  [4, 'threshold', 'int'],
  [5, 'parent_id', 'int'],
  [6, 'operations', 'hex'],
  [7, 'keys', { many: { message: key } }],
];

const parameter: Schema = [
  [1, 'indexed', 'bool'],
  [2, 'name', 'string'],
  [3, 'type', 'string'],
];

const abiEntry: Schema = [
  [1, 'anonymous', 'bool'],
  [2, 'constant', 'bool'],
  [3, 'name', 'string'],
  [4, 'inputs', { many: { message: parameter } }],
  [5, 'outputs', { many: { message: parameter } }],
  [
    6,
    'type',
    { names: ['UnknownEntryType', 'Constructor', 'Function', 'Event', 'Fallback', 'Receive', 'Error'] },
  ],
  [7, 'payable', 'bool'],
  [8, 'stateMutability', { names: ['UnknownMutabilityType', 'Pure', 'View', 'Nonpayable', 'Payable'] }],
];

const smartContract: Schema = [
  [1, 'origin_address', 'address'],
  [2, 'contract_address', 'address'],
  [3, 'abi', { message: [[1, 'entrys', { many: { message: abiEntry } }]] }],
  [4, 'bytecode', 'hex'],
  [5, 'call_value', 'int'],
  [6, 'consume_user_resource_percent', 'int'],
  [7, 'name', 'string'],
  [8, 'origin_energy_limit', 'int'],
  [9, 'code_hash', 'hex'],
  [10, 'trx_hash', 'hex'],
  [11, 'version', 'int'],
];

interface ContractType {
  /** Its number in `Transaction.Contract.ContractType`. */
  readonly number: number;
  readonly fields: Schema;
}

const exchange: Schema = [owner, [2, 'exchange_id', 'int'], [3, 'token_id', 'name'], [4, 'quant', 'int']];

const contracts: Readonly<Record<string, ContractType>> = {
  AccountCreateContract: {
    number: 0,
    fields: [
      owner,
      [2, 'account_address', 'address'],
      [3, 'type', { names: ['Normal', 'AssetIssue', 'Contract'] }],
    ],
  },
  TransferContract: { number: 1, fields: [owner, [2, 'to_address', 'address'], [3, 'amount', 'int']] },
  TransferAssetContract: {
    number: 2,
    fields: [
      [1, 'asset_name', 'name'],
      [2, 'owner_address', 'address'],
      [3, 'to_address', 'address'],
      [4, 'amount', 'int'],
    ],
  },
  VoteWitnessContract: {
    number: 4,
    fields: [
      owner,
      [
        2,
        'votes',
        {
          many: {
            message: [
              [1, 'vote_address', 'address'],
              [2, 'vote_count', 'int'],
            ],
          },
        },
      ],
      [3, 'support', 'bool'],
    ],
  },
  WitnessCreateContract: { number: 5, fields: [owner, [2, 'url', 'name']] },
  AssetIssueContract: {
    number: 6,
    fields: [
      owner,
      [2, 'name', 'name'],
      [3, 'abbr', 'name'],
      [4, 'total_supply', 'int'],
      [
        5,
        'frozen_supply',
        {
          many: {
            message: [
              [1, 'frozen_amount', 'int'],
              [2, 'frozen_days', 'int'],
            ],
          },
        },
      ],
      [6, 'trx_num', 'int'],
      [7, 'precision', 'int'],
      [8, 'num', 'int'],
      [9, 'start_time', 'int'],
      [10, 'end_time', 'int'],
      [11, 'order', 'int'],
      [16, 'vote_score', 'int'],
      [20, 'description', 'name'],
      [21, 'url', 'name'],
      [22, 'free_asset_net_limit', 'int'],
      [23, 'public_free_asset_net_limit', 'int'],
      [24, 'public_free_asset_net_usage', 'int'],
      [25, 'public_latest_free_net_time', 'int'],
      [41, 'id', 'string'],
    ],
  },
  WitnessUpdateContract: { number: 8, fields: [owner, [12, 'update_url', 'name']] },
  ParticipateAssetIssueContract: {
    number: 9,
    fields: [owner, [2, 'to_address', 'address'], [3, 'asset_name', 'name'], [4, 'amount', 'int']],
  },
  AccountUpdateContract: {
    number: 10,
    fields: [
      [1, 'account_name', 'name'],
      [2, 'owner_address', 'address'],
    ],
  },
  FreezeBalanceContract: {
    number: 11,
    fields: [
      owner,
      [2, 'frozen_balance', 'int'],
      [3, 'frozen_duration', 'int'],
      [10, 'resource', resource],
      [15, 'receiver_address', 'address'],
    ],
  },
  UnfreezeBalanceContract: {
    number: 12,
    fields: [owner, [10, 'resource', resource], [15, 'receiver_address', 'address']],
  },
  WithdrawBalanceContract: { number: 13, fields: ownerOnly },
  UnfreezeAssetContract: { number: 14, fields: ownerOnly },
  UpdateAssetContract: {
    number: 15,
    fields: [
      owner,
      [2, 'description', 'name'],
      [3, 'url', 'name'],
      [4, 'new_limit', 'int'],
      [5, 'new_public_limit', 'int'],
    ],
  },
  ProposalApproveContract: {
    number: 17,
    fields: [owner, [2, 'proposal_id', 'int'], [3, 'is_add_approval', 'bool']],
  },
  ProposalDeleteContract: { number: 18, fields: [owner, [2, 'proposal_id', 'int']] },
  SetAccountIdContract: {
    number: 19,
    fields: [
      [1, 'account_id', 'name'],
      [2, 'owner_address', 'address'],
    ],
  },
  CreateSmartContract: {
    number: 30,
    fields: [
      owner,
      [2, 'new_contract', { message: smartContract }],
      [3, 'call_token_value', 'int'],
      [4, 'token_id', 'int'],
    ],
  },
  TriggerSmartContract: {
    number: 31,
    fields: [
      owner,
      [2, 'contract_address', 'address'],
      [3, 'call_value', 'int'],
      [4, 'data', 'hex'],
      [5, 'call_token_value', 'int'],
      [6, 'token_id', 'int'],
    ],
  },
  UpdateSettingContract: {
    number: 33,
    fields: [owner, [2, 'contract_address', 'address'], [3, 'consume_user_resource_percent', 'int']],
  },
  ExchangeCreateContract: {
    number: 41,
    fields: [
      owner,
      [2, 'first_token_id', 'name'],
      [3, 'first_token_balance', 'int'],
      [4, 'second_token_id', 'name'],
      [5, 'second_token_balance', 'int'],
    ],
  },
  ExchangeInjectContract: { number: 42, fields: exchange },
  ExchangeWithdrawContract: { number: 43, fields: exchange },
  ExchangeTransactionContract: { number: 44, fields: [...exchange, [5, 'expected', 'int']] },
  UpdateEnergyLimitContract: {
    number: 45,
    fields: [owner, [2, 'contract_address', 'address'], [3, 'origin_energy_limit', 'int']],
  },
  AccountPermissionUpdateContract: {
    number: 46,
    fields: [
      owner,
      [2, 'owner', { message: permission }],
      [3, 'witness', { message: permission }],
      [4, 'actives', { many: { message: permission } }],
    ],
  },
  ClearABIContract: { number: 48, fields: [owner, [2, 'contract_address', 'address']] },
  UpdateBrokerageContract: { number: 49, fields: [owner, [2, 'brokerage', 'int']] },
  MarketSellAssetContract: {
    number: 52,
    fields: [
      owner,
      [2, 'sell_token_id', 'name'],
      [3, 'sell_token_quantity', 'int'],
      [4, 'buy_token_id', 'name'],
      [5, 'buy_token_quantity', 'int'],
    ],
  },
  MarketCancelOrderContract: { number: 53, fields: [owner, [2, 'order_id', 'hex']] },
  FreezeBalanceV2Contract: {
    number: 54,
    fields: [owner, [2, 'frozen_balance', 'int'], [3, 'resource', resource]],
  },
  UnfreezeBalanceV2Contract: {
    number: 55,
    fields: [owner, [2, 'unfreeze_balance', 'int'], [3, 'resource', resource]],
  },
  WithdrawExpireUnfreezeContract: { number: 56, fields: ownerOnly },
  DelegateResourceContract: {
    number: 57,
    fields: [
      owner,
      [2, 'resource', resource],
      [3, 'balance', 'int'],
      [4, 'receiver_address', 'address'],
      [5, 'lock', 'bool'],
      [6, 'lock_period', 'int'],
    ],
  },
  UnDelegateResourceContract: {
    number: 58,
    fields: [owner, [2, 'resource', resource], [3, 'balance', 'int'], [4, 'receiver_address', 'address']],
  },
  CancelAllUnfreezeV2Contract: { number: 59, fields: ownerOnly },
};

/** The names of `ContractType` by their numbers. */
const typeNames: string[] = [];
for (const [name, { number }] of Object.entries(contracts)) typeNames[number] = name;

/** `Transaction.Contract` for one kind of content; on the wire that content is bytes, and read by nobody but its type. */
function envelope(content: Kind): Schema {
  return [
    [1, 'type', { names: typeNames }],
    [
      2,
      'parameter',
      {
        message: [
          [1, 'type_url', 'string'],
          [2, 'value', content],
        ],
      },
    ],
    [3, 'provider', 'hex'],
    [4, 'ContractName', 'name'],
    [5, 'Permission_id', 'int'],
  ];
}

const envelopes = new Map(
  Object.entries(contracts).map(([name, { fields }]) => [name, envelope({ message: fields })]),
);

/** In JSON the parameter is written out, so its schema hangs on the `type` beside it. */
const encodeContract: Encoder = (json, span, visible) => {
  const typeAt = memberOf(json, span.at, 'type');
  const type = typeAt === undefined ? undefined : stringAt(json, typeAt);
  const schema = type === undefined ? undefined : envelopes.get(type);
  return schema === undefined ? undefined : encodeJson(json, span, schema, visible);
};

export const raw: Schema = [
  [1, 'ref_block_bytes', 'hex'],
  [3, 'ref_block_num', 'int'],
  [4, 'ref_block_hash', 'hex'],
  [8, 'expiration', 'int'],
  [10, 'data', 'hex'],
  [11, 'contract', { many: { encode: encodeContract, message: envelope('hex') } }],
  [12, 'scripts', 'hex'],
  [14, 'timestamp', 'int'],
  [18, 'fee_limit', 'int'],
];
