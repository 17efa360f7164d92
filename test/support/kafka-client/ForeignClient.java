import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's own client. `produce BROKERS TOPIC CODEC… -- VALUE…` appends all values with each codec; `consume BROKERS TOPIC COUNT` prints so many. */
public class ForeignClient {
  public static void main(String[] args) throws Exception {
    if (args[0].equals("produce")) produce(args);
    else consume(args);
  }

  static void produce(String[] args) throws Exception {
    List<String> words = List.of(args).subList(3, args.length);
    int divider = words.indexOf("--");
    for (String codec : words.subList(0, divider)) {
      Properties options = options(args[1]);
      options.put("compression.type", codec);
      options.put("linger.ms", "100");
      options.put("key.serializer", StringSerializer.class.getName());
      options.put("value.serializer", StringSerializer.class.getName());
      try (KafkaProducer<String, String> producer = new KafkaProducer<>(options)) {
        for (String value : words.subList(divider + 1, words.size()))
          producer.send(new ProducerRecord<>(args[2], 0, "key", codec + " " + value));
        producer.flush();
      }
    }
  }

  static void consume(String[] args) {
    Properties options = options(args[1]);
    options.put("key.deserializer", StringDeserializer.class.getName());
    options.put("value.deserializer", StringDeserializer.class.getName());
    TopicPartition partition = new TopicPartition(args[2], 0);
    int left = Integer.parseInt(args[3]);
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(options)) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      while (left > 0)
        for (var record : consumer.poll(Duration.ofSeconds(1))) {
          System.out.println(record.value());
          left -= 1;
        }
    }
  }

  static Properties options(String brokers) {
    Properties options = new Properties();
    options.putAll(Map.of("bootstrap.servers", brokers));
    return options;
  }
}
