import {
  Column,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';

// MariaDB's driver returns bigints as text.
const bigint = { type: 'bigint', transformer: { from: Number, to: (value: unknown) => value } } as const;

abstract class Stored {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  ref!: string;

  @Column({ ...bigint, name: 'created_on' })
  createdOn!: number;

  @Column({ ...bigint, name: 'modified_on' })
  modifiedOn!: number;
}

@Entity('gateways')
export class Gateway extends Stored {
  @Column()
  name!: string;

  @Column()
  host!: string;

  @Column({ type: 'varchar', nullable: true })
  username!: string | null;

  @Column({ type: 'varchar', nullable: true })
  secret!: string | null;

  @Column()
  transport!: string;

  @Column({ type: 'integer', nullable: true })
  port!: number | null;

  @Column({ type: 'integer', nullable: true })
  expires!: number | null;

  @Column({ type: 'boolean', name: 'send_register', nullable: true })
  sendRegister!: boolean | null;

  @Column({ type: 'simple-json', nullable: true })
  registries!: readonly string[] | null;
}

@Entity('numbers')
export class PhoneNumber extends Stored {
  @Column()
  kind!: string;

  @ManyToOne(() => Gateway)
  @JoinColumn({ name: 'gateway_id' })
  gateway!: Relation<Gateway>;

  @Column({ ...bigint, name: 'gateway_id' })
  gatewayId!: number;

  @Column({ type: 'varchar', name: 'geo_info_city', nullable: true })
  city!: string | null;

  @Column({ type: 'varchar', name: 'geo_info_country', nullable: true })
  country!: string | null;

  @Column({ type: 'varchar', name: 'geo_info_country_isocode', nullable: true })
  countryISOCode!: string | null;

  @Column({ name: 'tel_url' })
  telUrl!: string;

  @Column({ name: 'aor_link' })
  aorLink!: string;

  @Column({ name: 'tel_digits' })
  telDigits!: string;

  @Column({ name: 'digits_key' })
  digitsKey!: string;

  @Column({ name: 'aor_user' })
  aorUser!: string;

  @Column({ name: 'aor_host' })
  aorHost!: string;
}

@Entity('domains')
export class Domain extends Stored {
  @Column()
  name!: string;

  @Column({ name: 'domain_uri' })
  domainUri!: string;
}

@Entity('agents')
export class Agent extends Stored {
  @Column()
  name!: string;

  @Column()
  username!: string;

  @Column()
  secret!: string;

  @Column({ type: 'varchar', nullable: true })
  privacy!: string | null;

  @Column({ type: 'integer', name: 'max_contacts', nullable: true })
  maxContacts!: number | null;

  @OneToMany(() => Membership, ({ agent }) => agent)
  memberships!: Relation<Membership>[];
}

/** A domain of an agent. */
@Entity('agent_domains')
export class Membership {
  @PrimaryColumn({ ...bigint, name: 'agent_id' })
  agentId!: number;

  @PrimaryColumn({ ...bigint, name: 'domain_id' })
  domainId!: number;

  @Column()
  position!: number;

  @ManyToOne(() => Agent, ({ memberships }) => memberships)
  @JoinColumn({ name: 'agent_id' })
  agent!: Relation<Agent>;

  @ManyToOne(() => Domain)
  @JoinColumn({ name: 'domain_id' })
  domain!: Relation<Domain>;
}
