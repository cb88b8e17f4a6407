import { FitsVarchar, IgnoreNameCase, IsKey } from '@malote/service-kit';
import { areConsistent, isWeight, MAX_WEIGHT, PHASES, WEIGHED_PHASE } from '@malote/tickets';
import {
  IsBoolean,
  IsIn,
  Max,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
} from 'class-validator';

const isWeighed = ({ phaseCode }: ShipmentTicketDto) => phaseCode === WEIGHED_PHASE;

/** What we read of a ShipmentTicket; whatever else it holds is kept with it. Phase 6 has weights, in kilograms. */
@IgnoreNameCase()
export class ShipmentTicketDto {
  @IsKey(100)
  businessEntity!: string;

  @IsKey(100)
  businessDocId!: string;

  @MinLength(1)
  @FitsVarchar(20)
  companyCode!: string;

  @MinLength(1)
  @FitsVarchar(20)
  branchCode!: string;

  @MinLength(1)
  @FitsVarchar(20)
  destinationCode!: string;

  @IsIn(PHASES)
  phaseCode!: number;

  @MinLength(1)
  @FitsVarchar(20)
  shipmentEvent!: string;

  @IsBoolean()
  functionalAckIsRequired!: boolean;

  @IsKey(20)
  targetApplicationCode!: string;

  @ValidateIf(isWeighed)
  @IsWeight()
  @Min(0)
  @Max(MAX_WEIGHT)
  grossWeight?: number;

  @ValidateIf(isWeighed)
  @IsWeight()
  @Min(0)
  @Max(MAX_WEIGHT)
  tareWeight?: number;

  @ValidateIf(isWeighed)
  @IsWeight()
  @Min(0)
  @Max(MAX_WEIGHT)
  @IsGrossLessTare()
  netWeight?: number;
}

/** Not `IsNumber({ maxDecimalPlaces })`, which falls over 1e-7. */
function IsWeight(): PropertyDecorator {
  return ValidateBy({
    name: 'isWeight',
    validator: {
      validate: isWeight,
      defaultMessage: () =>
        `$property must be a number of kilograms from 0 to ${MAX_WEIGHT}, with three decimals at most`,
    },
  });
}

function IsGrossLessTare(): PropertyDecorator {
  return ValidateBy({
    name: 'isGrossLessTare',
    validator: {
      validate: (netWeight, args?: ValidationArguments) => {
        const { grossWeight, tareWeight } = args?.object as ShipmentTicketDto;
        // What is no weight is said of the weight itself.
        if (!isWeight(grossWeight) || !isWeight(tareWeight) || !isWeight(netWeight)) return true;
        return areConsistent({ grossWeight, tareWeight, netWeight });
      },
      defaultMessage: () => 'netWeight must be grossWeight less tareWeight, to the gram',
    },
  });
}
